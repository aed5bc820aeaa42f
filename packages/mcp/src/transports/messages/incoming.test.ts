import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import { post, startServer } from '../../../test/doubles/http-server.ts';
import { callOf } from '../../../test/doubles/messages.ts';
import { readIncoming } from './incoming.ts';

const odd = [
  undefined,
  null,
  true,
  1.5,
  Infinity,
  -0,
  2 ** 53,
  '',
  'x'.repeat(201),
  '\ud800',
  [],
  {},
];
const ids = [...odd, 7, 'a', { toString: 1 }];
const methods = [...odd, 'ping', '__proto__'];
const metas = [...odd, 5, { progressToken: {} }, { progressToken: 'a' }, { a: { b: 1 } }];
const params = [...odd, ...metas.map((_meta) => ({ _meta })), { ['__proto__']: { a: 1 } }];
const results = [...odd, { a: 1 }, { code: 1, message: 'x' }, { code: '1', message: 'x', more: 1 }];

function* messages(): Generator<object> {
  for (const id of ids) {
    for (const method of methods) for (const value of params) yield { id, method, params: value };
    for (const result of results) {
      yield { id, result };
      yield { id, error: result, extra: true };
      yield { id, result, error: result };
    }
  }
}

test('every accepted message can be parsed by the SDK, which drops others without a response', () => {
  const counts = { request: 0, notice: 0, invalid: 0 };
  for (const fields of messages()) {
    // Serialized and parsed, as over the wire.
    const sent = JSON.parse(JSON.stringify({ jsonrpc: '2.0', ...fields, further: 1 })) as unknown;
    const incoming = readIncoming(sent);
    counts[incoming.kind] += 1;
    if (incoming.kind === 'invalid') continue;
    const { kind, message } = incoming;
    const isRead =
      kind === 'request'
        ? isJSONRPCRequest(message)
        : isJSONRPCNotification(message) ||
          isJSONRPCResultResponse(message) ||
          isJSONRPCErrorResponse(message);
    if (!isRead) expect.fail(`It is dropped: ${JSON.stringify(message)}`);
  }
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(50);
});

describe('invalid messages', () => {
  const invalid = (words: string, id: unknown = null) => ({
    jsonrpc: '2.0',
    id,
    error: { code: -32_600, message: `Invalid Request: ${words}` },
  });

  test.each([
    [[callOf(1, 'echo_text', { text: 'x' })], 'batches are not supported.', null],
    [[], 'batches are not supported.', null],
    ['"text"', 'this is no JSON-RPC message.', null],
    ['null', 'this is no JSON-RPC message.', null],
    [{ id: 1, method: 'ping' }, 'this is no JSON-RPC message.', 1],
    [{ jsonrpc: '1.0', id: 1, method: 'ping' }, 'this is no JSON-RPC message.', 1],
    [{ jsonrpc: '2.0', id: 1 }, 'this is no JSON-RPC message.', 1],
    [{ jsonrpc: '1.0', id: { a: 1 }, method: 'ping' }, 'this is no JSON-RPC message.', null],
    [{ jsonrpc: '1.0', id: 1, result: {} }, 'this is no JSON-RPC message.', null],
    [
      {
        jsonrpc: '2.0',
        id: 4,
        method: 'ping',
        params: { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'a' } } },
      },
      'params must be an object, with a readable _meta.',
      4,
    ],
    [{ jsonrpc: '2.0', id: 1, method: 5 }, 'this is no JSON-RPC message.', 1],
    [
      { jsonrpc: '2.0', id: null, method: 'ping' },
      'the id must be a whole number or a string of at most 200 characters.',
      null,
    ],
    [
      { jsonrpc: '2.0', id: 1.5, method: 'ping' },
      'the id must be a whole number or a string of at most 200 characters.',
      null,
    ],
    [
      { jsonrpc: '2.0', id: 'x'.repeat(201), method: 'ping' },
      'the id must be a whole number or a string of at most 200 characters.',
      null,
    ],
    [{ jsonrpc: '2.0', id: 1, result: 5 }, 'this is no JSON-RPC message.', null],
    [{ jsonrpc: '2.0', id: 1, error: { code: '1' } }, 'this is no JSON-RPC message.', null],
    [
      { jsonrpc: '2.0', id: 4, method: 'ping', params: [] },
      'params must be an object, with a readable _meta.',
      4,
    ],
    [
      { jsonrpc: '2.0', id: 4, method: 'ping', params: { _meta: { progressToken: {} } } },
      'params must be an object, with a readable _meta.',
      4,
    ],
  ])('%j is rejected with 400', async (body, words, id) => {
    const { url } = await startServer();
    const response = await post(url, body);
    expect(response.status).toBe(400);
    expect(response.messages).toEqual([invalid(words, id)]);
  });

  test('an unexpected response is accepted and dropped', async () => {
    const { url } = await startServer();
    for (const response of [{ result: {} }, { error: { code: 1, message: 'x' } }]) {
      const { status, text } = await post(url, { jsonrpc: '2.0', id: 1, ...response });
      expect([status, text]).toEqual([202, '']);
    }
  });

  test('unknown fields of a request have no effect, and every request is answered', async () => {
    const { url } = await startServer();
    const { messages } = await post(url, { jsonrpc: '2.0', id: 1, method: 'ping', extra: true });
    expect(messages).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
    const longest = await post(url, { jsonrpc: '2.0', id: 'x'.repeat(200), method: 'ping' });
    expect(longest.messages).toMatchObject([{ id: 'x'.repeat(200), result: {} }]);
    const unknown = await post(url, { jsonrpc: '2.0', id: 1, method: 'x'.repeat(10_000) });
    expect(unknown.messages[0]).toMatchObject({ id: 1, error: { code: -32_601 } });
    expect(unknown.text.length).toBeLessThan(500);
  });
});
