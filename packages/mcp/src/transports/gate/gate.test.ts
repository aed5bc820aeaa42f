import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { openGate, startGateServer } from '../../../test/doubles/gate-server.ts';
import { createGate } from './gate.ts';

const message = { jsonrpc: '2.0', id: 7, method: 'ping' };

const wellFormed = {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  } as Record<string, string>,
  body: JSON.stringify(message) as string | null,
};

const gate = (methods: readonly string[] = ['POST']) =>
  createGate({
    allowedHosts: [
      'mcp.example.com',
      'Only.example.com:8443',
      'default.example.com:443',
      'xn--bcher-kva.example',
    ],
    allowedOrigins: ['https://app.example.com'],
    methods,
    authentication: (exchange) => {
      exchange.caller = { id: 'somebody' };
      return undefined;
    },
    rateLimit: () => undefined,
    maxBodyBytes: 1_000,
  });

async function send(
  changes: {
    method?: 'POST' | 'GET' | 'DELETE' | 'PUT' | 'OPTIONS';
    headers?: Record<string, string>;
    body?: string | null;
  },
  methods?: readonly string[],
) {
  const { url } = await startGateServer(gate(methods));
  const response = await request(url, {
    method: changes.method ?? 'POST',
    headers: { ...wellFormed.headers, ...changes.headers },
    body: changes.body === undefined ? wellFormed.body : changes.body,
  });
  const text = await response.body.text();
  return {
    status: response.statusCode,
    headers: response.headers,
    body: text === '' ? undefined : (JSON.parse(text) as unknown),
  };
}

const refusedWith = (code: number, words: RegExp) => ({
  jsonrpc: '2.0',
  error: { code, message: expect.stringMatching(words) as string },
  id: null,
});

test('a well-formed message passes the gate and is parsed [M29]', async () => {
  const { status, body, headers } = await send({});
  expect(status).toBe(200);
  expect(body).toEqual({ passed: true, caller: 'somebody', body: message });
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
});

describe('Host', () => {
  test.each([
    'mcp.example.com',
    'MCP.example.com:1234',
    'ONLY.example.com:8443',
    'localhost',
    'localhost:99',
    '[::1]:99',
    '[0:0:0::1]:99',
    'localhost.',
    'mcp.example.com.',
    'mcp.example.com.:443',
    'default.example.com',
    'default.example.com:443',
    'xn--bcher-kva.example',
  ])('%s is accepted', async (host) => {
    expect((await send({ headers: { host } })).status).toBe(200);
  });

  test.each([
    'evil.example',
    'only.example.com',
    'only.example.com:1',
    'localhost.evil.example',
    'mcp.example.com.evil.example',
    '127.0.0.1@evil.example',
    '2130706433',
    '0x7f.1',
    'default.example.com:8443',
    'mcp.example.com..',
    'mcp.example.com/',
    'x@mcp.example.com',
    '[::1]/x',
    '[::1]?x',
    '[::1]#x',
    '[::1]x',
    '[::1]:80:80',
    '[::1]:65536',
    '[::1]@evil.example',
    '[::1]@mcp.example.com',
    '[x]@mcp.example.com',
    '[mcp.example.com]',
    '[127.0.0.1]',
  ])('%s is rejected, as in a DNS rebinding attack [M29]', async (host) => {
    const { status, body } = await send({ headers: { host } });
    expect(status).toBe(403);
    expect(body).toEqual(refusedWith(-32_000, /Host.*MCP_ALLOWED_HOSTS/));
    expect(JSON.stringify(body)).toContain(host);
  });
});

describe('Origin', () => {
  test.each([
    'https://evil.example',
    'null',
    'http://localhost:1',
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'https://app.example.com@evil.example',
    'https://app.example.com,https://evil.example',
    'https://app.example.com/, https://evil.example',
    'https://x@app.example.com',
    'https://@app.example.com',
    'https://app.example.com?',
    'https://app.example.com#',
    'https://app.example.com/.',
    'https://[x]@app.example.com',
    'https:app.example.com',
    'http://[::1]',
    'http://[::1]@evil.example',
  ])('%s is rejected [M29]', async (origin) => {
    const { status, body, headers } = await send({ headers: { origin } });
    expect(status).toBe(403);
    expect(body).toEqual(refusedWith(-32_000, /Origin.*MCP_ALLOWED_ORIGINS/));
    expect(JSON.stringify(body)).toContain(origin);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test("the server's own origin and an allowed origin are accepted", async () => {
    const { url, host } = await startGateServer(gate());
    for (const origin of [`http://${host}`, `https://${host}`, 'https://app.example.com']) {
      const response = await request(url, {
        ...wellFormed,
        method: 'POST',
        headers: { ...wellFormed.headers, origin },
      });
      expect(response.statusCode).toBe(200);
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'mcp-session-id, www-authenticate',
        vary: 'origin',
      });
      await response.body.dump();
    }
    const foreign = await request(url, { headers: { origin: `http://evil.${host}` } });
    expect(foreign.statusCode).toBe(403);
    await foreign.body.dump();
  });

  test('an allowed origin and the server’s own are accepted in other spellings [M29]', async () => {
    for (const headers of [
      { origin: 'HTTPS://App.Example.com:443' },
      { origin: 'https://app.example.com/' },
      { origin: 'https://mcp.example.com', host: 'MCP.example.com:443' },
      { origin: 'http://mcp.example.com:80', host: 'mcp.example.com' },
    ]) {
      expect((await send({ headers })).status).toBe(200);
    }
    const other = { origin: 'https://mcp.example.com:444', host: 'mcp.example.com' };
    expect((await send({ headers: other })).status).toBe(403);
  });

  test('a preflight request succeeds from an allowed origin only', async () => {
    const preflight = (origin: string) =>
      send({
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
        body: null,
      });
    const allowed = await preflight('https://app.example.com');
    expect(allowed.status).toBe(204);
    expect(allowed.headers).not.toHaveProperty('content-length');
    expect(allowed.headers).not.toHaveProperty('content-type');
    expect(allowed.headers).toMatchObject({
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers':
        'accept, authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id',
      'access-control-max-age': '600',
    });
    const noQuestion = { origin: 'https://app.example.com' };
    const options = await send({ method: 'OPTIONS', headers: noQuestion, body: null });
    expect(options.status).toBe(405);
    expect((await preflight('https://evil.example')).status).toBe(403);
  });
});

test('an unsupported method is rejected, and the supported ones are listed [M29]', async () => {
  for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS'] as const) {
    const { status, body, headers } = await send({ method, body: null });
    expect(status).toBe(405);
    expect(headers.allow).toBe('POST');
    expect(body).toEqual(refusedWith(-32_000, /Method/));
  }
});

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json-seq',
  'application/json; charset=latin1',
  '',
])('content type "%s" is rejected [M29]', async (type) => {
  const { status, body } = await send({ headers: { 'content-type': type } });
  expect(status).toBe(415);
  expect(body).toEqual(refusedWith(-32_000, /Content-Type/));
});

test('a compressed body is rejected, because the limit applies to the decompressed size', async () => {
  const { status, body } = await send({ headers: { 'content-encoding': 'gzip' } });
  expect(status).toBe(415);
  expect(body).toEqual(refusedWith(-32_000, /uncompressed, and its Content-Encoding is "gzip"/));
});

test('other spellings of the content type are accepted', async () => {
  for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
    expect((await send({ headers: { 'content-type': type } })).status).toBe(200);
  }
});

test('a body of another type is not read', async () => {
  const response = await send({ headers: { 'content-type': 'text/plain' }, body: '{' });
  expect(response.status).toBe(415);
});

test('the body of an unauthenticated request is not read', async () => {
  const refused = { status: 401 };
  const { url } = await startGateServer(createGate({ ...openGate, authentication: () => refused }));
  const response = await request(url, { ...wellFormed, method: 'POST', body: 'no json at all' });
  expect(response.statusCode).toBe(401);
  expect(response.headers.connection).toBe('keep-alive');
  await response.body.dump();
});

test('a response in progress is not followed by another', async () => {
  const { url } = await startGateServer(({ response }) => {
    response.writeHead(200).write('all');
    setImmediate(() => response.end());
    return { status: 500, body: 'and more' };
  });
  const { statusCode, body } = await request(url);
  expect([statusCode, await body.text()]).toEqual([200, 'all']);
});
