import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
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
    for (const method of methods) for (const one of params) yield { id, method, params: one };
    for (const result of results) {
      yield { id, result };
      yield { id, error: result, extra: true };
      yield { id, result, error: result };
    }
  }
}

test('what is let through is what the SDK can read: it drops the rest without an answer', () => {
  const counts = { request: 0, notice: 0, invalid: 0 };
  for (const fields of messages()) {
    // As it comes over the wire.
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
