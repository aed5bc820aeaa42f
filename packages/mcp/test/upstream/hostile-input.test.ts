/** Invalid and hostile raw messages, over each transport. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rawId, serveOnEach, transports } from '../programs/served.ts';
import { json, startUpstreamDouble } from '../../src/testing/upstream-double.ts';

const upstream = await startUpstreamDouble();
const served = await serveOnEach({
  PROBE_API_BASE_URL: upstream.url,
  PROBE_API_TOKEN: 'a-token-of-the-service',
});
afterAll(async () => {
  await served.close();
  await upstream.close();
});

beforeEach(() => {
  upstream.reply(json({}));
});

/** A request with raw JSON for its params. */
const request = (method: string, params: string) =>
  `{"jsonrpc":"2.0","id":"${rawId}","method":"${method}","params":${params}}`;
const call = (args: string) =>
  request('tools/call', `{"name":"probe_search_users","arguments":${args}}`);
const keys = (count: number, name = (index: number) => `"<script>${index}"`) =>
  Array.from({ length: count }, (_, index) => `${name(index)}:1`).join();
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

const refusedText = (problem: string) => ({
  jsonrpc: '2.0',
  id: rawId,
  result: {
    content: [{ type: 'text', text: `Error: Invalid arguments.\n- ${problem}` }],
    isError: true,
    _meta: { callId: expect.any(String) as string },
  },
});

describe.each(transports)('over %s', (transport) => {
  const { send, client } = served[transport];

  afterEach(async () => {
    // Whatever was sent, the program answers the next request, and has sent nothing to the upstream.
    await client.ping();
    expect(upstream.requests).toEqual([]);
  });

  test.for<[string, string]>([
    ['{"query":"ada","admin":true}', 'Unknown fields: admin'],
    ['{"query":"ada","__proto__":{"admin":true}}', 'Unknown fields: __proto__'],
    ['{"query":"ada","constructor":1,"toString":1}', 'Unknown fields: constructor, toString'],
    ['{"query":"ada","a\\u001b[2J\\n# Root\\u202e":1}', 'Unknown fields: a [2J # Root'],
    ['{"query":["ada"]}', 'query: Invalid input: expected string, received array'],
    ['{"query":{"$ne":""}}', 'query: Invalid input: expected string, received object'],
    ['{"query":null}', 'query: Invalid input: expected string, received null'],
    ['{"query":"ada","limit":"20"}', 'limit: Invalid input: expected number, received string'],
    ['{"query":"ada","limit":1e999}', 'limit: Invalid input: expected number, received Infinity'],
    ['{"query":"ada","offset":true}', 'offset: Invalid input: expected number, received boolean'],
    ['[]', 'Invalid input: expected object, received array'],
    ['"ada"', 'Invalid input: expected object, received string'],
    ['7', 'Invalid input: expected object, received number'],
    ['{"query":"ada","query":""}', 'query: Too small: expected string to have >=2 characters'],
  ])('arguments %s are rejected [M09 M32]', async ([args, problem]) => {
    expect((await send(call(args))).message).toEqual(refusedText(problem));
  });

  test.for<[string, string]>([
    ['100,000 unknown fields', call(`{"query":"ada",${keys(100_000, (n) => `"k${n}"`)}}`)],
    ['a field with a long name', call(`{"query":"ada","${'k'.repeat(900_000)}":1}`)],
    ['a text that is much too long', call(`{"query":"${'x'.repeat(900_000)}"}`)],
    ['100,000 fields in place of a text', call(`{"query":{${keys(60_000)}}}`)],
    [
      '100,000 tags',
      request(
        'tools/call',
        `{"name":"probe_create_project","arguments":{"name":"x","tags":[${'1,'.repeat(99_999)}1]}}`,
      ),
    ],
    ['arguments nested deeply', call(`{"query":${nested(400_000)}}`)],
    ['objects nested deeply', call('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000))],
    ['params with 100,000 fields', request('tools/call', `{${keys(60_000)}}`)],
    ['a _meta nested deeply', request('x', `{"_meta":{"a":${nested(400_000)}}}`)],
    ['a long name of a tool', request('tools/call', `{"name":"${'x'.repeat(900_000)}"}`)],
    ['a long name of a prompt', request('prompts/get', `{"name":"${'x'.repeat(900_000)}"}`)],
    [
      'a long URI',
      request('resources/read', `{"uri":"file://documents/${'%41'.repeat(300_000)}"}`),
    ],
    ['a long cursor', request('resources/list', `{"cursor":"${'9'.repeat(900_000)}"}`)],
    ['a long method', request('x'.repeat(900_000), '{}')],
  ])('%s: the response is small [M09]', async ([, message]) => {
    const { text, message: response } = await send(message);
    expect(text.length).toBeLessThan(1_500);
    const { result, error } = response as { result?: { isError?: boolean }; error?: object };
    expect(result?.isError === true || error !== undefined).toBe(true);
  });

  test.for<[string, number]>([
    ['[]', -32_600],
    [`[${request('ping', '{}')}]`, -32_600],
    [`[${request('ping', '{}')},${call('{"query":"ada"}')}]`, -32_600],
    [`[${`${request('ping', '{}')},`.repeat(5_000)}1]`, -32_600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32_600],
    ['{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', -32_600],
    ['{"jsonrpc":"1.0","id":"raw","method":"ping"}', -32_600],
    ['{"id":"raw","method":"ping"}', -32_600],
    ['null', -32_600],
    ['{"jsonrpc":"2.0","id":"raw","method":"ping"', -32_700],
    ['{"jsonrpc":"2.0","id":"raw","method":"ping"}}', -32_700],
    ["{'jsonrpc':'2.0'}", -32_700],
    [request('tools/call', '{"name":7}'), -32_602],
    [request('tools/call', '{"name":"toString"}'), -32_602],
    [request('tools/call', '{"name":"__proto__"}'), -32_602],
    [request('tools/call', '{"name":"probe_search_users "}'), -32_602],
    [request('prompts/get', '{"name":"constructor"}'), -32_602],
    [request('completion/complete', '{"ref":{"type":"ref/resource","uri":"file:///"}}'), -32_602],
    [request('__proto__', '{}'), -32_601],
    [request('toString', '{}'), -32_601],
    [request('rpc.discover', '{}'), -32_601],
  ])('%s is a protocol error, and has no effect', async ([message, code]) => {
    const { text, message: response } = await send(message);
    expect(response).toMatchObject({ jsonrpc: '2.0', error: { code } });
    expect(text.length).toBeLessThan(500);
  });

  test.for([
    'file://documents/..%2f..%2fetc%2fpasswd',
    'file://documents/..%2F..%2Fsettings%2Flocale',
    'file://documents/%2e%2e%2fusers',
    'file://documents/..',
    'file://documents/../users/search',
    'file://documents/./handbook.md',
    'file://documents//etc/passwd',
    'file://documents/..%5c..%5cwindows',
    'file://documents/a%00.md',
    'file://documents/a%0d%0aHost:%20evil.test',
    'file://documents/a?q=1',
    'file://documents/a#b',
    'file://documents/%c0%ae%c0%ae%c0%af',
    'file://documents/',
    'file:///etc/passwd',
    'file://evil.test/documents/a',
    'file://documents@evil.test/a',
    'FILE://documents/a',
    'http://127.0.0.1/',
    'config://settings/..%2f..%2fusers',
    'config://settings/a/b',
    'javascript:alert(1)',
  ])('no name escapes its resource: %s is not found [M19 M20]', async (uri) => {
    const { message } = await send(request('resources/read', JSON.stringify({ uri })));
    expect(message).toMatchObject({
      id: rawId,
      error: { code: -32_002, message: 'Resource not found' },
    });
  });
});

test.for(transports)(
  '%s: a doubly encoded name is decoded once, and is still one segment [M19]',
  async (name) => {
    upstream.reply(json({ name: 'x', text: 'x' }));
    for (const encoded of ['..%252f..%252fetc', '%252e%252e', 'a%2500', '50%25', '....', '..a']) {
      await served[name].client.readResource({ uri: `file://documents/${encoded}` });
      const segment = encodeURIComponent(decodeURIComponent(encoded));
      expect(upstream.requests.at(-1)?.url).toBe(`/documents/${segment}`);
    }
  },
);
