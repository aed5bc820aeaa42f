import { connect } from 'node:net';
import { request } from 'undici';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { connectOverHttp, post, startServer } from '../../../test/doubles/http-server.ts';
import { callOf, initializing } from '../../../test/doubles/messages.ts';
import { createProbeService } from '../../../test/probes/probe-service.ts';
import { startUpstreamDouble } from '../../testing/upstream-double.ts';
import { reads, tool } from '../../core/definition/tool.ts';
import { path } from '../../core/upstream/path.ts';
import { line } from '../../core/result/markdown.ts';
import type { ServiceDefinition } from '../../core/definition/service-definition.ts';
import { createUpstream, type Upstream } from '../../core/upstream/client.ts';

async function get(url: string, target: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') {
  const response = await request(new URL(target, url), { method });
  const text = await response.body.text();
  return { status: response.statusCode, headers: response.headers, text };
}

test('the gate precedes the endpoint: a foreign Host, a foreign Origin, no token [M29]', async () => {
  const { url } = await startServer({ authentication: { kind: 'bearer', token: 'a-token' } });
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const known = { authorization: 'Bearer a-token' };
  expect((await post(url, ping, known)).status).toBe(200);
  expect((await post(url, ping, { ...known, host: 'evil.example' })).status).toBe(403);
  expect((await post(url, ping, { ...known, origin: 'https://evil.example' })).status).toBe(403);
  expect((await post(url, ping)).status).toBe(401);
  // The Origin is checked before the token.
  expect((await post(url, ping, { origin: 'https://evil.example' })).status).toBe(403);
});

test('a body may have up to 1 MiB [M29]', async () => {
  const logged = vi.fn();
  const { url } = await startServer({ logged });
  const [most, more] = [2 ** 20, 2 ** 20 + 1].map((length) =>
    JSON.stringify(initializing).padEnd(length),
  );
  expect(await post(url, most)).toMatchObject({ status: 200 });
  expect(logged).not.toHaveBeenCalledWith(expect.stringContaining('Refused'));
  expect(await post(url, more)).toMatchObject({ status: 413 });
  expect(logged).toHaveBeenCalledWith(expect.stringMatching(/413.*Request rejected/));
});

test('the rate limit applies to a caller across all its calls', async () => {
  const { url } = await startServer({ rateLimit: { requests: 2, seconds: 60 } });
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const statuses = [];
  for (let call = 0; call < 3; call += 1) statuses.push((await post(url, ping)).status);
  expect(statuses).toEqual([200, 200, 429]);
});

describe('health', () => {
  test('`/healthz` responds, and `/readyz` reports an unreachable upstream; probes are cached', async () => {
    const probed = vi.fn<() => Promise<boolean>>();
    const service = createProbeService();
    const { url } = await startServer({
      service: { ...service, start: async () => ({ ...(await service.start()), isReady: probed }) },
    });
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    probed
      .mockResolvedValueOnce(true)
      .mockResolvedValueOnce(false)
      .mockRejectedValueOnce(new Error('x'));
    expect(await get(url, '/healthz')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    for (let times = 0; times < 3; times += 1) {
      expect(await get(url, '/readyz')).toMatchObject({ status: 200, text: '{"status":"ready"}' });
    }
    expect(probed).toHaveBeenCalledTimes(1);
    for (let times = 0; times < 2; times += 1) {
      vi.advanceTimersByTime(1_001);
      expect(await get(url, '/readyz')).toMatchObject({
        status: 503,
        text: '{"status":"unavailable"}',
      });
    }
    expect(await get(url, '/healthz')).toMatchObject({ status: 200 });
    expect(await get(url, '/healthz', 'HEAD')).toMatchObject({ status: 200, text: '' });
    const refused = { status: 405, headers: { allow: 'GET, HEAD' } };
    expect(await get(url, '/readyz', 'POST')).toMatchObject(refused);
  });

  test('an upstream that does not respond does not delay `/readyz` [M29]', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(50));
    const service = createProbeService();
    const isReady = () => new Promise<boolean>(() => undefined);
    const { url } = await startServer({
      service: { ...service, start: async () => ({ ...(await service.start()), isReady }) },
    });
    expect(await get(url, '/readyz')).toMatchObject({ status: 503 });
    expect(timeouts).toHaveBeenCalledExactlyOnceWith(2_000);
  });

  test('a connection is kept open longer than a load balancer keeps it', async () => {
    const { url } = await startServer();
    expect((await get(url, '/healthz')).headers['keep-alive']).toBe('timeout=75');
  });

  test('any Host is accepted, with sessions too, because probes use an IP address', async () => {
    const { url } = await startServer({ sessions: { idleSeconds: 60, maxSessions: 5 } });
    const { statusCode, body } = await request(new URL('/healthz', url), {
      headers: { host: '10.0.0.7' },
    });
    expect(statusCode).toBe(200);
    await body.dump();
  });
});

test('an unknown path is a 404 that does not echo it', async () => {
  const { url } = await startServer();
  for (const path of [
    '/',
    '/mcp/../healthz/x',
    '/connect/abc',
    '/.well-known/oauth-protected-resource',
    '//mcp',
  ]) {
    const { status, text, headers } = await get(url, new URL(url).origin + path);
    expect(status).toBe(404);
    expect(headers['content-length']).toBe(String(text.length));
    expect(JSON.parse(text)).toEqual({
      error: 'not_found',
      error_description: expect.stringContaining('the endpoint is /mcp.') as string,
    });
  }
});

describe('a malformed request', () => {
  test.each([
    ['nonsense\r\n\r\n', 400, 'this is not HTTP/1.1'],
    [
      `GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'the headers may have 16384 bytes in total',
    ],
    [
      'POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'this is not HTTP/1.1',
    ],
  ])('%.30j is rejected with a JSON-RPC error', async (bytes, status, reason) => {
    const { url } = await startServer();
    const heard = await speak(url, bytes);
    expect(heard).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(heard.split('\r\n\r\n')[1] ?? '')).toEqual({
      jsonrpc: '2.0',
      error: { code: -32_000, message: expect.stringMatching(`: ${reason}\\.$`) as string },
      id: null,
    });
  });
});

test('an address that is unavailable fails the startup with one sentence that names the setting', async () => {
  const { url } = await startServer();
  const port = Number(new URL(url).port);
  await expect(startServer({ port })).rejects.toThrow(
    `MCP_PORT names a port that another program has taken: ${port}.`,
  );
  // For an address that this machine does not have, the error code depends on the operating system.
  const authentication = { kind: 'bearer', token: 'a-token' } as const;
  const start = startServer({ host: 'fe80::1', authentication });
  await expect(start).rejects.toThrow(/MCP_HOST/);
});

test('disconnecting aborts the upstream call, with sessions by cancelling; a response reports the upstream’s time', async () => {
  const double = await startUpstreamDouble();
  onTestFinished(() => double.close());
  const service = serviceOver(double.url);
  const plain = await startServer({ service });
  const hangUp = new AbortController();
  double.reply(() => undefined);
  const requested = double.next();
  const left = post(plain.url, callOf(1, 'ask_upstream'), {}, hangUp.signal);
  const { cut } = await requested;
  hangUp.abort();
  await expect(left).rejects.toThrow();
  await cut;

  const kept = await startServer({ service, sessions: { idleSeconds: 60, maxSessions: 5 } });
  const { client } = await connectOverHttp(kept.url);
  const cancel = new AbortController();
  const requestedAgain = double.next();
  const call = client.callTool({ name: 'probe_ask_upstream', arguments: {} }, undefined, {
    signal: cancel.signal,
  });
  const rejected = expect(call).rejects.toThrow();
  const second = await requestedAgain;
  cancel.abort();
  await second.cut;
  await rejected;

  double.reply((response) => response.end('{}'));
  const { headers } = await post(plain.url, callOf(1, 'ask_upstream'));
  expect(headers['server-timing']).toMatch(/^upstream;dur=\d+\.\d, total;dur=\d+\.\d$/);
});

/** A service with one tool, which waits for the upstream. */
function serviceOver(baseUrl: string): ServiceDefinition<Upstream> {
  return {
    name: 'probe_mcp',
    title: 'Probe',
    instructions: '',
    tools: [
      tool({
        name: 'probe_ask_upstream',
        annotations: reads('Ask'),
        purpose: 'Asks the upstream.',
        whenToUse: ['In tests.'],
        whenNotToUse: ['Elsewhere.'],
        returns: 'Nothing.',
        output: z.strictObject({}),
        async handler(
          _,
          context: { lifespanState: Upstream } & Parameters<Upstream['request']>[2],
        ) {
          await context.lifespanState.request(path`/slow`, {}, context);
          return {};
        },
        markdown: () => line`asked`,
      }),
    ],
    resources: [],
    prompts: [],
    start: () => {
      const upstream = createUpstream({ baseUrl });
      return {
        state: upstream,
        isReady: () => Promise.resolve(true),
        stop: () => upstream.close(),
      };
    },
  };
}

function speak(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket
      .on('data', (chunk) => (heard += chunk.toString()))
      .on('error', () => undefined)
      .on('close', () => {
        resolve(heard);
      });
  });
}
