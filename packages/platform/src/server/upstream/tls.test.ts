/** A platform whose TLS certificate is not trusted counts as unavailable: no request reaches it. */
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { generate } from 'selfsigned';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { smallPlatform } from '../../../test/small-platform.ts';
import { onUpstreamFailure } from './failures.ts';

const { private: key, cert } = await generate([{ name: 'commonName', value: 'platform' }], {
  algorithm: 'sha256',
  keyType: 'ec',
  extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
});

/** Requests that reached the platform: none while its TLS is invalid. */
let requested: string[] = [];
let speaksTls = true;
const respond: Parameters<typeof createHttpServer>[1] = (request, response) => {
  requested.push(request.url ?? '');
  response.setHeader('content-type', 'application/json').end('{"id":"canary"}');
};
const https = createHttpsServer({ key, cert }, respond);
const http = createHttpServer(respond);
const server = createServer((socket) => {
  (speaksTls ? https : http).emit('connection', socket);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const { checkPlatformUser, userRelayResponse } = smallPlatform(() => `https://127.0.0.1:${port}`);

const reasons: unknown[] = [];
onUpstreamFailure(({ cause }) => {
  reasons.push((cause as NodeJS.ErrnoException).code);
});

type Connect = NonNullable<Agent.Options['connect']>;
const usual = getGlobalDispatcher();
let agent = new Agent();

beforeEach(() => {
  requested = [];
  speaksTls = true;
  reasons.length = 0;
});
afterEach(async () => {
  setGlobalDispatcher(usual);
  await agent.destroy();
});
afterAll(() => {
  server.close();
});

function connectWith(connect: Connect): void {
  agent = new Agent({ connect });
  setGlobalDispatcher(agent);
}

async function relayed() {
  const response = await userRelayResponse(new Request('https://site.example/api/user'));
  return [response.status, await response.text()];
}

test('a trusted certificate is accepted', async () => {
  connectWith({ ca: cert });
  expect(await relayed()).toEqual([200, '{"id":"canary"}']);
  expect(await checkPlatformUser({})).toMatchObject({ ok: true, user: { id: 'canary' } });
  expect(requested).toEqual(['/user', '/user']);
});

test.each<[string, RegExp, Connect, boolean]>([
  ['an untrusted self-signed certificate', /^DEPTH_ZERO_SELF_SIGNED_CERT$/, {}, true],
  [
    'a certificate for another name',
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    { ca: cert, servername: 'platform.example' },
    true,
  ],
  ['no TLS at all', /^ERR_SSL_/, { ca: cert }, false],
])('%s is 502, for relay and guard [W03] [W07] [W33]', async (_, code, connect, tls) => {
  connectWith(connect);
  speaksTls = tls;
  const lost = { error: 'upstream_unavailable' };
  expect(await relayed()).toEqual([502, JSON.stringify(lost)]);
  expect(await checkPlatformUser({})).toEqual({ ok: false, status: 502, body: lost });
  expect(requested).toEqual([]);
  expect(reasons).toEqual([expect.stringMatching(code), expect.stringMatching(code)]);
});
