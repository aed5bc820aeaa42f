import { request as httpRequest, createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, expect, test, vi } from 'vitest';
import { isResource, settings } from '../testing/listening-site.ts';
import { createListener } from '../listener/listener.ts';
import type { MatchedRoute } from '../framework.ts';
import { remix } from '../framework/remix/index.ts';

vi.mock('../log.ts', () => import('../testing/log-double.ts'));

const page = `<!DOCTYPE html>${'<p>Grüße</p>'.repeat(200)}`;

const server = createServer(
  createListener({
    env: settings,
    isReady: () => true,
    framework: remix,
    isResource,
    hasCheckedIdentity: () => false,
    assets: (_request, _response, next) => {
      next();
    },
    match: () => ({ handle: {}, respond }),
  }),
);

const respond: MatchedRoute['respond'] = ({ url }, context) => {
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  if (url.endsWith('/streamed')) return Promise.resolve(new Response(page, { headers }));
  if (url.endsWith('/large')) return Promise.resolve(new Response(largeBody(), { headers }));
  context.takePage?.(Buffer.from(url.endsWith('/short') ? 'short' : page));
  return Promise.resolve(
    new Response(null, { status: 203, headers: { ...headers, 'set-cookie': 'a=b' } }),
  );
};
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => server.close());

/** More chunks than an emitter's listener limit, each larger than a compressor's buffer. */
function largeBody(): ReadableStream {
  let pieces = 0;
  return new ReadableStream({
    pull(controller) {
      if (pieces++ === 20) controller.close();
      else controller.enqueue(Buffer.alloc(64 * 1024, page));
    },
  });
}

interface ReceivedResponse {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

function send(path: string, accepted?: string, method = 'GET'): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
    httpRequest({ port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode: status } = response;
        resolve({ status, headers: response.headers, body: Buffer.concat(chunks) });
      });
    })
      .on('error', reject)
      .end();
  });
}

test('a large body adds only one drain listener to its compressor', async () => {
  const warned = vi.fn();
  process.on('warning', warned);
  expect(gunzipSync((await send('/large', 'gzip')).body)).toHaveLength(20 * 64 * 1024);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', warned);
  expect(warned).not.toHaveBeenCalled();
});

test('a complete page is sent compressed, with its length, status and all headers', async () => {
  const { status, headers, body } = await send('/', 'gzip, deflate, br, zstd');
  expect(status).toBe(203);
  expect(headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-length': String(body.length),
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, no-store',
    'set-cookie': ['a=b'],
    vary: 'accept-encoding',
    'x-request-id': expect.any(String) as string,
  });
  expect(gunzipSync(body).toString()).toBe(page);
});

test.each([
  ['gzip', 'gzip'],
  ['br;q=1, GZIP ; q=0.5', 'gzip'],
  [undefined, undefined],
  ['identity', undefined],
  ['br', undefined],
  ['gzip;q=0', undefined],
  ['gzip; q=0.000, br', undefined],
])('with accept-encoding %s, a complete page is encoded as %s', async (accepted, encoding) => {
  const { headers, body } = await send('/', accepted);
  expect(headers['content-encoding']).toBe(encoding);
  expect(headers.vary).toBe('accept-encoding');
  expect((encoding ? gunzipSync(body) : body).toString()).toBe(page);
});

test('a short page is not compressed', async () => {
  const { headers, body } = await send('/short', 'gzip');
  expect(headers).not.toHaveProperty('content-encoding');
  expect(body.toString()).toBe('short');
});

test('HEAD of a complete page has GET’s length and no body', async () => {
  const { headers, body } = await send('/', 'gzip', 'HEAD');
  expect(headers['content-length']).toBe((await send('/', 'gzip')).headers['content-length']);
  expect(body).toHaveLength(0);
});

test('a stream is compressed incrementally', async () => {
  const { headers, body } = await send('/streamed', 'gzip, br');
  expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
  expect(brotliDecompressSync(body).toString()).toBe(page);
});
