/** How `npm run dev` prints its programs' logs. */
import { expect, it } from 'vitest';

import { readable, violationsOf } from './terminal.ts';

const at = { time: new Date(2026, 0, 1, 12, 30, 5).getTime() };
const line = (log: object) => readable(JSON.stringify(log));

it('prints a request in one line', () => {
  const request = { method: 'GET', path: '/shop', status: 200, ms: 12, msg: 'request' };
  expect(line({ level: 30, ...at, requestId: 'r1', ...request })).toBe(
    '[12:30:05] INFO: GET /shop 200 in 12 ms',
  );
});

it('prints the stack of an error in lines, for the site and for the MCP server', () => {
  const stack = 'Error: boom\n    at loader (app/routes/home.tsx:1:2)';
  const failed = `failed\n${stack}`;
  expect(line({ level: 50, ...at, err: { message: 'boom', stack }, msg: 'failed' })).toContain(
    failed,
  );
  const error = { name: 'Error', stack };
  expect(line({ level: 'error', ...at, msg: 'failed', data: { error } })).toContain(failed);
});

it('keeps the other fields of a log entry', () => {
  expect(line({ level: 40, ...at, msg: 'no answer', reason: 'timeout' })).toBe(
    '[12:30:05] WARN: no answer {"reason":"timeout"}',
  );
});

it.each(['', 'plain words', '{ not JSON', '{"some":"JSON"}'])('leaves %j as it is', (text) => {
  expect(readable(text)).toBe(text);
});

it('names each rule that a call violated, with the request that it belongs to', () => {
  const call = {
    kind: 'call',
    id: 1,
    at: '',
    siteRequest: { id: 'r1', method: 'POST', path: '/shop', persona: 'ada' },
    persona: 'ada',
    method: 'POST',
    path: '/prints',
    endpoint: 'print',
    status: null,
    durationMs: null,
    outcome: 'pending',
    fault: null,
    violations: ['unguarded_call'],
  } as const;
  expect(violationsOf({ ...call, violations: [...call.violations] })).toEqual([
    expect.stringMatching(/^unguarded_call: POST \/prints for POST \/shop\. .*\(W09\)/),
  ]);
  expect(violationsOf({ ...call, violations: [] })).toEqual([]);
});
