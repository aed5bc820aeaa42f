/** The streams of a session: which clients can resume them, and how many events are kept. */
import { once } from 'node:events';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { mcpHeaders, post, startServer } from '../../../test/doubles/http-server.ts';
import { callOf, initializing } from '../../../test/doubles/messages.ts';

const start = () => startServer({ sessions: { idleSeconds: 60, maxSessions: 10 } });

/** Opens a session and returns its id. */
async function open(url: string): Promise<string> {
  return String((await post(url, initializing)).headers['mcp-session-id']);
}

const eventsOf = (text: string) => text.split('\n\n').filter(Boolean);
const idOf = (event: string) => /^id: (\S+)$/m.exec(event)?.[1] ?? '';

/** Resumes a stream after an event, and reads it to its end. */
async function takeUp(url: string, session: string, lastEventId: string) {
  const { statusCode, body } = await request(url, {
    headers: {
      accept: 'text/event-stream',
      'mcp-session-id': session,
      'last-event-id': lastEventId,
    },
  });
  return { status: statusCode, text: await body.text() };
}

test('a broken stream is resumed where it ended', async () => {
  const { url } = await start();
  const session = await open(url);
  const response = await post(url, callOf(5, 'report_steps', {}, { progressToken: 1 }), {
    'mcp-session-id': session,
    'mcp-protocol-version': '2025-11-25',
  });
  const events = eventsOf(response.text);
  expect(events.length).toBeGreaterThan(3);
  // Later events of other streams are not included.
  await post(url, callOf(6, 'report_steps', {}, { progressToken: 2 }), {
    'mcp-session-id': session,
  });
  const { status, text } = await takeUp(url, session, idOf(events[1] ?? ''));
  expect(status).toBe(200);
  expect(eventsOf(text)).toEqual(events.slice(2));
  expect(await takeUp(url, session, '99')).toMatchObject({ status: 400 });
});

test('after its response, a stream is reported as complete, and does not keep its session open', async () => {
  const { url } = await start();
  const session = await open(url);
  const response = await post(url, callOf(5, 'report_steps', {}, { progressToken: 1 }), {
    'mcp-session-id': session,
  });
  const events = eventsOf(response.text);
  expect(events.at(-1)).toContain('"result"');
  expect(await takeUp(url, session, idOf(events.at(-1) ?? ''))).toEqual({ status: 204, text: '' });
  // Resumed from an earlier event, as often as a client likes, it sends the response again and ends.
  for (let times = 0; times < 2; times += 1) {
    const again = await takeUp(url, session, idOf(events.at(-2) ?? ''));
    expect(again).toEqual({ status: 200, text: `${events.at(-1) ?? ''}\n\n` });
  }
});

test('a message with a Last-Event-ID is handled like any other', async () => {
  const { url } = await start();
  const session = { 'mcp-session-id': await open(url) };
  const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };
  const { text } = await post(url, ping, session);
  const response = await post(url, ping, {
    ...session,
    'last-event-id': idOf(eventsOf(text).at(-1) ?? ''),
  });
  expect(response.messages).toEqual([{ jsonrpc: '2.0', id: 7, result: {} }]);
});

test('a request whose id is in progress is rejected, and the first one gets its response [M29]', async () => {
  const { url, state } = await start();
  const session = { 'mcp-session-id': await open(url) };
  const first = post(url, callOf(5, 'wait_long'), session);
  await expect.poll(() => state.events).toEqual(['waiting']);
  const again = await post(url, callOf(5, 'echo_text', { text: 'x' }), session);
  expect(again).toMatchObject({
    status: 400,
    messages: [{ id: 5, error: { code: -32_600 } }],
  });
  // The first one can still be cancelled, and its id is then free.
  const params = { requestId: 5 };
  await post(url, { jsonrpc: '2.0', method: 'notifications/cancelled', params }, session);
  expect((await first).status).toBe(200);
  expect(state.events).toEqual(['waiting', 'aborted']);
  const later = await post(url, callOf(5, 'echo_text', { text: 'x' }), session);
  expect(later.messages).toMatchObject([{ id: 5, result: {} }]);
});

describe('a newer stream replaces an older one, whose client may have vanished [M29]', () => {
  /** Opens a stream that stays open. Its `ended` resolves with all of its text once the server has ended it. */
  async function openStream(url: string, session: string, more: Record<string, string> = {}) {
    const { statusCode, body } = await request(url, {
      headers: { accept: 'text/event-stream', 'mcp-session-id': session, ...more },
    });
    return { status: statusCode, ended: body.text(), body };
  }

  test('for messages of the server', async () => {
    const { url } = await start();
    const session = await open(url);
    const streams = [];
    for (let times = 0; times < 3; times += 1) streams.push(await openStream(url, session));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    const newest = streams.pop();
    // The server ended the older ones, so that they hold nothing.
    for (const { ended } of streams) expect(await ended).toBe('');
    // The newest is still open, and ends with its session.
    await request(url, { method: 'DELETE', headers: { 'mcp-session-id': session } });
    expect(await newest?.ended).toBe('');
  });

  test('for the response to a call, resumed by a client that lost its connection unnoticed', async () => {
    const { url, state } = await start();
    const session = await open(url);
    const { body, statusCode } = await request(url, {
      method: 'POST',
      headers: { ...mcpHeaders, 'mcp-session-id': session },
      body: JSON.stringify(callOf(5, 'wait_long')),
    });
    const [primed] = (await once(body, 'data')) as [Buffer];
    const lost = once(body, 'end');
    await expect.poll(() => state.events).toEqual(['waiting']);
    const headers = { 'last-event-id': idOf(primed.toString()) };
    const first = await openStream(url, session, headers);
    const second = await openStream(url, session, headers);
    expect([statusCode, first.status, second.status]).toEqual([200, 200, 200]);
    await lost;
    expect(await first.ended).toBe('');
    const params = { requestId: 5 };
    await post(
      url,
      { jsonrpc: '2.0', method: 'notifications/cancelled', params },
      { 'mcp-session-id': session },
    );
    expect(await second.ended).toBe('');
  });

  test('an event that is not kept is refused with its id, and an empty Last-Event-ID is none', async () => {
    const { url } = await start();
    const session = await open(url);
    const { status, text } = await takeUp(url, session, '99');
    expect(status).toBe(400);
    expect(text).toContain('Last-Event-ID \\"99\\" is unknown');
    const stream = await openStream(url, session, { 'last-event-id': '' });
    expect(stream.status).toBe(200);
    stream.body.on('error', () => undefined).destroy();
    await stream.ended.catch(() => undefined);
  });
});

test('the last hundred events of a session are kept', async () => {
  const { url } = await start();
  const session = await open(url);
  const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };
  const say = async () => eventsOf((await post(url, ping, { 'mcp-session-id': session })).text);
  const [first = ''] = await say();
  let last = '';
  for (let text = 1; text < 50; text += 1) [last = ''] = await say();
  expect(await takeUp(url, session, idOf(first))).toMatchObject({ status: 200 });
  await say();
  expect(await takeUp(url, session, idOf(first))).toMatchObject({ status: 400 });
  expect(await takeUp(url, session, idOf(last))).toMatchObject({ status: 200 });
});

test('at most 256 KiB of a session’s events are kept', async () => {
  const { url } = await start();
  const session = await open(url);
  const list = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
  const say = async () => (await post(url, list, { 'mcp-session-id': session })).text;
  const first = await say();
  const fitting = Math.floor((256 * 1024) / first.length);
  // Far fewer than a hundred events.
  expect(fitting).toBeLessThan(45);
  let last = '';
  for (let text = 1; text < fitting + 5; text += 1) last = await say();
  for (const [text, status] of [
    [first, 400],
    [last, 200],
  ] as const) {
    const id = idOf(eventsOf(text)[0] ?? '');
    expect(await takeUp(url, session, id)).toMatchObject({ status });
  }
});

test('the newest events of all sessions are kept up to a total limit, and none of a closed session', async () => {
  const list = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
  const { text } = await post((await startServer()).url, list);
  const { url } = await startServer({
    sessions: { idleSeconds: 60, maxSessions: 10, maxEventCharacters: text.length * 4 },
  });
  const say = async (session: string) => {
    const response = await post(url, list, { 'mcp-session-id': session });
    return idOf(eventsOf(response.text)[0] ?? '');
  };
  const kept = async (session: string, id: string) => (await takeUp(url, session, id)).status;
  const mine = await open(url);
  const id = await say(mine);
  for (let count = 0; count < 5; count += 1) {
    const other = await open(url);
    await say(other);
    await request(url, { method: 'DELETE', headers: { 'mcp-session-id': other } });
  }
  expect(await kept(mine, id)).toBe(200);

  const other = await open(url);
  const ids = [];
  for (let count = 0; count < 4; count += 1) ids.push(await say(other));
  expect(await kept(mine, id)).toBe(400);
  expect(await kept(other, ids.at(-1) ?? '')).toBe(200);
  expect(await kept(mine, await say(mine))).toBe(200);
});

describe('the negotiated revision holds for the whole session', () => {
  const steps = callOf(5, 'report_steps', {}, { progressToken: 1 });
  const version = 'mcp-protocol-version';

  test.each<[string, Record<string, string>]>([
    ['missing', {}],
    ['an older one', { [version]: '2025-06-18' }],
    ['missing, and its name a value', { 'x-a': version, 'x-b': 'c' }],
  ])('a client that supports resuming gets an event id, the header %s', async (_, headers) => {
    const { url } = await start();
    const response = await post(url, steps, { 'mcp-session-id': await open(url), ...headers });
    expect(response.text).toMatch(/^id: \d+\nretry: 1000\ndata: \n\n/);
  });

  test('an older client does not, whatever its later headers claim', async () => {
    const { url } = await start();
    const params = { ...initializing.params, protocolVersion: '2025-06-18' };
    const opened = await post(url, { ...initializing, params });
    const headers = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const response = await post(url, steps, { ...headers, [version]: '2025-11-25' });
    expect(response.text).not.toContain('retry:');
    expect(response.messages).toHaveLength(3);
  });
});
