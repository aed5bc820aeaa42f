/**
 * A large upload end to end: visitor, edge, the built site with the upload recipe, and platform. Measures the memory of
 * the site's process.
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { toSafeProfile } from '@gatehouse/platform';
import { startPlatform, type Platform } from '../../e2e/platform';
import personas from '../../e2e/personas.json' with { type: 'json' };
import type { Site } from '@gatehouse/simulator/programs';
import { startRecipeSite } from '../recipes/recipe-site';

const megabyte = 1024 * 1024;
/** Bytes that file-type recognizes as a video. */
const mp4 = Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex');

let platform: Platform;
let site: Site;

beforeAll(async () => {
  platform = await startPlatform({ port: 0, internalPort: 0 });
  site = await startRecipeSite(platform);
}, 300_000);
afterEach(() => platform.reset());
afterAll(async () => {
  await site.stop();
  await platform.close();
});

/** An MP4 file of the given size, in chunks. */
function* film(bytes: number): Generator<Buffer> {
  yield mp4;
  const chunk = randomBytes(64 * 1024);
  for (let left = bytes - mp4.length; left > 0; left -= chunk.length) {
    yield chunk.subarray(0, Math.min(left, chunk.length));
  }
}

/** The account key that the persona's page sends with an upload. */
function accountOf(persona: string): string {
  return toSafeProfile(personas.find(({ id }) => id === persona)?.profile).key;
}

/** Begins an upload through the edge, as the page's script does. */
function begin(persona: string, headers: Record<string, string>): ClientRequest {
  const { host, port } = new URL(platform.siteOrigin);
  const cookie = platform.sessions.createCookie(persona);
  return httpRequest({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: `/api/upload?account=${accountOf(persona)}`,
    agent: false,
    headers: { host, cookie, 'sec-fetch-site': 'same-origin', ...headers },
  });
}

/** Sends with backpressure. */
async function sendAll(upload: ClientRequest, chunks: Iterable<Buffer>): Promise<void> {
  for (const chunk of chunks) if (!upload.write(chunk)) await once(upload, 'drain');
}

async function responseTo(upload: ClientRequest): Promise<{ status: number; body: unknown }> {
  const [response] = (await once(upload, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
  return { status: response.statusCode ?? 0, body };
}

/** Resident memory of the site's process in megabytes: current and peak. */
function memoryOfSite(): { now: number; peak: number } {
  const status = readFileSync(`/proc/${String(site.child.pid)}/status`, 'utf8');
  const of = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { now: of('VmRSS'), peak: of('VmHWM') };
}

async function upload(persona: string, bytes: number, headers: Record<string, string> = {}) {
  const outgoing = begin(persona, headers);
  const response = responseTo(outgoing);
  const hash = createHash('sha256');
  const hashed = function* () {
    for (const chunk of film(bytes)) {
      hash.update(chunk);
      yield chunk;
    }
  };
  await sendAll(outgoing, hashed());
  outgoing.end();
  return { ...(await response), sha256: hash.digest('hex') };
}

test.skipIf(process.platform !== 'linux')(
  '100 MB reach the platform unchanged, with bounded memory in the site',
  async () => {
    await upload('ada', 5 * megabyte);
    const before = memoryOfSite();
    const { status, body, sha256 } = await upload('ada', 100 * megabyte, {
      'content-length': String(100 * megabyte),
    });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^med_/) as string,
        contentType: 'video/mp4',
        bytes: 100 * megabyte,
      },
    });
    expect(platform.state.media.kept().at(-1)).toMatchObject({ bytes: 100 * megabyte, sha256 });
    expect(platform.ledger.violations()).toEqual([]);
    expect(memoryOfSite().peak - before.now).toBeLessThan(64);
  },
);

test('a cancelled upload stores nothing on the platform', async () => {
  const outgoing = begin('ada', { 'content-length': String(50 * megabyte) });
  outgoing.on('error', () => undefined);
  await sendAll(outgoing, film(20 * megabyte));
  const calls = () => platform.ledger.calls({ endpoint: 'upload' });
  await expect.poll(calls).toMatchObject([{ outcome: 'pending' }]);
  outgoing.destroy();
  await expect.poll(calls).toMatchObject([{ outcome: 'aborted', status: null }]);
  expect(platform.state.media.kept()).toEqual([]);
  // The site keeps serving.
  expect((await upload('ada', megabyte)).status).toBe(201);
});

test.each([
  ['by its Content-Length', { 'content-length': String(100 * megabyte + 1) }, 100_000],
  ['without a Content-Length', {}, 100 * megabyte + 1],
])('a file too large %s is refused with 413, and nothing is stored', async (_, headers, sent) => {
  const outgoing = begin('ada', headers);
  const response = responseTo(outgoing);
  await sendAll(outgoing, film(sent));
  expect(await response).toEqual({ status: 413, body: { error: 'body_too_large' } });
  outgoing.destroy();
  expect(platform.state.media.kept()).toEqual([]);
});

test('a file that is neither video nor image is refused with 415, without a platform call', async () => {
  const outgoing = begin('ada', {});
  const response = responseTo(outgoing);
  outgoing.end('<!doctype html>');
  expect(await response).toEqual({ status: 415, body: { error: 'unsupported_media_type' } });
  expect(platform.ledger.calls({ endpoint: 'upload' })).toEqual([]);
});

test.skipIf(process.platform !== 'linux')(
  '1,500 concurrent uploads by signed-out clients are refused without buffering their bodies [W09 W19]',
  async () => {
    const { port, host } = new URL(site.url);
    const head = `POST /api/upload HTTP/1.1\r\nhost: ${host}\r\nsec-fetch-site: same-origin\r\ncontent-length: ${megabyte}\r\n\r\n`;
    const part = Buffer.alloc(256 * 1024, 'x');
    const before = memoryOfSite();
    const sockets: Socket[] = [];
    const statuses = Array.from({ length: 1_500 }, async () => {
      const socket = connect(Number(port), '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.write(head);
      socket.write(part);
      const [data] = (await once(socket, 'data')) as [Buffer];
      return data.toString().slice(9, 12);
    });
    // With so many concurrent uploads, some calls to the platform may time out: 504.
    expect(['401', '504']).toEqual(
      expect.arrayContaining([...new Set(await Promise.all(statuses))]),
    );
    // Buffered bodies would take 375 MB.
    expect(memoryOfSite().peak - before.now).toBeLessThan(200);
    for (const socket of sockets) socket.destroy();
    expect(platform.ledger.calls({ endpoint: 'upload' })).toEqual([]);
  },
);
