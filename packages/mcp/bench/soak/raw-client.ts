/** Requests that no SDK client sends: calls that are cancelled, interrupted in the middle, or resumed. */
import { setTimeout as wait } from 'node:timers/promises';
import { request, type Dispatcher } from 'undici';
import { callOf, initializing } from '../../test/doubles/messages.ts';
import { modernCall } from '../../test/doubles/modern-messages.ts';

const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

type ResponseData = Dispatcher.ResponseData;

function post(
  url: string,
  message: unknown,
  more: Record<string, string> = {},
): Promise<ResponseData> {
  const body = JSON.stringify(message);
  return request(url, { method: 'POST', headers: { ...headers, ...more }, body });
}

/** @throws Error with the expected and the actual value. */
export function check(isRight: boolean, wanted: string, came: unknown): void {
  if (!isRight) throw new Error(`${wanted}, and what came was ${String(came).slice(0, 300)}`);
}

async function openSession(url: string): Promise<Record<string, string>> {
  const { statusCode, headers: given, body } = await post(url, initializing);
  await body.dump();
  check(statusCode === 200, 'A session', statusCode);
  return {
    'mcp-session-id': String(given['mcp-session-id']),
    'mcp-protocol-version': '2025-11-25',
  };
}

async function endSession(url: string, session: Record<string, string>): Promise<void> {
  const { statusCode, body } = await request(url, {
    method: 'DELETE',
    headers: { ...headers, ...session },
  });
  await body.dump();
  check(statusCode === 200, 'The end of a session', statusCode);
}

/** Reads the stream until it contains the text. @returns What was read. */
async function readUntil(body: ResponseData['body'], words: string): Promise<string> {
  let text = '';
  for await (const chunk of body) {
    text += String(chunk);
    if (text.includes(words)) break;
  }
  check(text.includes(words), words, text);
  return text;
}

/** Starts a call and cancels it with a notification. Its session is closed or abandoned. */
export async function cancelHalfWay(url: string, isLeft = false): Promise<void> {
  const session = await openSession(url);
  const called = await post(url, callOf(2, 'wait_long', {}, { progressToken: 1 }), session);
  const cancelled = {
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: 2 },
  };
  let text = '';
  for await (const chunk of called.body) {
    text += String(chunk);
    if (!text.includes('begun')) continue;
    const response = await post(url, cancelled, session);
    await response.body.dump();
    check(response.statusCode === 202, 'A cancellation', response.statusCode);
    break;
  }
  check(!text.includes('"result"'), 'No result of a cancelled call', text);
  if (!isLeft) await endSession(url, session);
}

/** Interrupts the connection of a call in a session, and resumes its stream to get the response. */
export async function resumeDropped(url: string): Promise<void> {
  const session = await openSession(url);
  const called = await post(url, callOf(3, 'wait_briefly', {}, { progressToken: 2 }), session);
  const begun = await readUntil(called.body, '"progress":1');
  // On a busy machine the response may be in the same chunk, so resume from the event before it.
  const [, lastEventId = ''] = /^id: (\S+)\ndata: .*"progress":1/m.exec(begun) ?? [];
  const takeUp = () =>
    request(url, {
      headers: { accept: 'text/event-stream', 'last-event-id': lastEventId, ...session },
    });
  let resumed = await takeUp();
  // The server may not have noticed the disconnect yet. A real client waits a second before it reconnects.
  for (let times = 0; resumed.statusCode === 409 && times < 10; times += 1) {
    await resumed.body.dump();
    await wait(100);
    resumed = await takeUp();
  }
  check(resumed.statusCode === 200, 'A stream that is taken up', resumed.statusCode);
  const text = await readUntil(resumed.body, '"result"');
  check(text.includes('waited'), 'The answer of the call', text);
  await endSession(url, session);
}

/** A client that disconnects, in the modern era. */
export async function hangUp(url: string): Promise<void> {
  const meta = { progressToken: 3 };
  const { message, headers: named } = modernCall('wait_long', {});
  const params = { ...message.params, _meta: { ...(message.params['_meta'] as object), ...meta } };
  const called = await post(url, { ...message, params }, named);
  await readUntil(called.body, 'begun');
}
