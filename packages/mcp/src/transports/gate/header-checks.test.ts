/** Tests the complete server, with sessions and without. */
import { request } from 'undici';
import { expect, test } from 'vitest';
import { post, startServer } from '../../../test/doubles/http-server.ts';
import { initializing } from '../../../test/doubles/messages.ts';

const modes = [
  ['without sessions', undefined],
  ['with sessions', { idleSeconds: 60, maxSessions: 100 }],
] as const;

const refusal = (words: string, accept: string) => ({
  jsonrpc: '2.0',
  error: {
    code: -32_000,
    message: `Not Acceptable: Accept must list ${words}, and is "${accept}".`,
  },
  id: null,
});

test.each(modes)(
  '%s a POST accepts JSON and event streams in any notation [M29]',
  async (_, sessions) => {
    const { url } = await startServer({ sessions });
    for (const accept of [
      '*/*',
      'text/*, application/*',
      'text/html;q=0, */*;q=0.1',
      'APPLICATION/JSON , Text/Event-Stream',
      'application/json;q=0.05,text/event-stream;q=0.01',
      'application/*;q=0, application/json, */*',
    ]) {
      const { status, messages } = await post(url, initializing, { accept });
      expect([accept, status]).toEqual([accept, 200]);
      expect(messages).toMatchObject([{ id: 1, result: {} }]);
    }
    for (const accept of [
      'application/json',
      'application/*',
      'text/event-stream',
      'text/html',
      'application/json, text/event-stream;q=0',
      'application/json; q=0.000 , text/event-stream',
      'application/json;q=0, */*',
      '*/*;q=0',
      'application/*x, text/*',
      '',
    ]) {
      const { status, messages } = await post(url, initializing, { accept });
      expect([accept, status]).toEqual([accept, 406]);
      expect(messages).toEqual([refusal('application/json and text/event-stream', accept)]);
    }
  },
);

test('with sessions a GET must accept an event stream, in any notation; a DELETE needs no Accept header [M29]', async () => {
  const { url } = await startServer({ sessions: modes[1][1] });
  // A session allows one such stream.
  const get = async (accept: string) => {
    const id = String((await post(url, initializing)).headers['mcp-session-id']);
    return request(url, { headers: { accept, 'mcp-session-id': id } });
  };
  for (const accept of ['application/json', 'application/*', 'text/*;q=0, */*', '']) {
    const { statusCode, body } = await get(accept);
    expect([accept, statusCode]).toEqual([accept, 406]);
    expect(await body.json()).toEqual(refusal('text/event-stream', accept));
  }
  for (const accept of ['text/event-stream', 'text/*', '*/*;q=0.1']) {
    const { statusCode, headers, body } = await get(accept);
    body.on('error', () => undefined).destroy();
    expect([accept, statusCode]).toEqual([accept, 200]);
    expect(headers['content-type']).toBe('text/event-stream');
  }
  const session = String((await post(url, initializing)).headers['mcp-session-id']);
  const end = await request(url, { method: 'DELETE', headers: { 'mcp-session-id': session } });
  expect([end.statusCode, await end.body.text()]).toEqual([200, '']);
});
