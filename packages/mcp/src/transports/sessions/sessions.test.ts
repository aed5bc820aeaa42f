import { request } from 'undici';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { textOf } from '../../../test/doubles/connected-client.ts';
import {
  connectOverHttp,
  mcpHeaders,
  post,
  startServer,
  type ServerChanges,
} from '../../../test/doubles/http-server.ts';
import { callOf, initializing } from '../../../test/doubles/messages.ts';
import { startGateServer } from '../../../test/doubles/gate-server.ts';
import type { Endpoint } from '../gate/endpoint.ts';
import { readIncoming } from '../messages/incoming.ts';
import type { Middleware } from '../gate/exchange.ts';
import { inOrder } from '../gate/gate.ts';
import { readBody } from '../gate/limited-body.ts';
import { createSessions } from './sessions.ts';
import {
  ElicitRequestSchema,
  ElicitationCompleteNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

const start = (changes: ServerChanges & { idleSeconds?: number; maxSessions?: number } = {}) => {
  const { idleSeconds = 60, maxSessions = 10, ...others } = changes;
  return startServer({ sessions: { idleSeconds, maxSessions }, ...others });
};

/** Opens a session and returns its id. */
async function open(url: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await post(url, initializing, headers);
  expect(response.status).toBe(200);
  return String(response.headers['mcp-session-id']);
}

/** Uses fake timers for Date and intervals. */
function stopTheClock(): void {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

async function statusOf(url: string, session: string, headers: Record<string, string> = {}) {
  const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
  return (await post(url, ping, { 'mcp-session-id': session, ...headers })).status;
}

const notFound = {
  jsonrpc: '2.0',
  id: null,
  error: {
    code: -32_001,
    message:
      'Session not found: it has ended, or belongs to another caller. Send initialize for a new one.',
  },
};

test('a client keeps a session until DELETE, which ends it for good [M29]', async () => {
  const { url } = await start();
  const { client, transport } = await connectOverHttp(url);
  const { sessionId = '' } = transport;
  expect(sessionId).toMatch(/^[\da-f-]{36}$/);
  expect(textOf(await client.callTool({ name: 'probe_echo_text', arguments: { text: 'x' } }))).toBe(
    'x',
  );
  await transport.terminateSession();
  const response = await post(url, callOf(1, 'echo_text'), { 'mcp-session-id': sessionId });
  expect([response.status, response.messages]).toEqual([404, [notFound]]);
});

test('a user is asked during a call [M23]', async () => {
  const { url } = await start();
  const { client } = await connectOverHttp(
    url,
    {},
    { capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler(ElicitRequestSchema, () => ({
    action: 'accept',
    content: { value: 'blue' },
  }));
  const result = await client.callTool({ name: 'probe_ask_user', arguments: { text: 'text' } });
  expect(textOf(result)).toContain('accept');
});

test('a secret is entered on a page of this server, and never returned [M30]', async () => {
  const { url, state } = await start();
  const { client } = await connectOverHttp(url, {}, { capabilities: { elicitation: { url: {} } } });
  const completed = vi.fn();
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, completed);
  let page = '';
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    page = 'url' in params ? params.url : '';
    expect((await request(page)).statusCode).toBe(200);
    const foreign = await request(page, { headers: { host: 'evil.example' } });
    expect(foreign.statusCode).toBe(403);
    const sent = await request(page, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'secret=hunter2-hunter2',
    });
    expect(sent.statusCode).toBe(200);
    return { action: 'accept' };
  });
  const result = await client.callTool({ name: 'probe_connect_account', arguments: {} });
  expect(page).toMatch(new RegExp(`^${new URL(url).origin}/connect/`));
  expect(textOf(result)).toContain('accept');
  expect(JSON.stringify(result)).not.toContain('hunter2');
  expect(state.secrets.get('local')).toBe('hunter2-hunter2');
  await expect.poll(() => completed).toHaveBeenCalledOnce();
  expect((await request(page)).statusCode).toBe(404);
});

const cancelled = (requestId: number) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

test('a posted cancellation aborts the call in its own session only', async () => {
  const { url, state } = await start();
  const [mine, other] = [await open(url), await open(url)];
  const call = post(url, callOf(5, 'wait_long'), { 'mcp-session-id': mine });
  let otherEnded = false;
  const otherCall = post(url, callOf(5, 'wait_long'), { 'mcp-session-id': other });
  void otherCall.then(() => (otherEnded = true));
  await expect.poll(() => state.events).toEqual(['waiting', 'waiting']);

  expect((await post(url, cancelled(5), { 'mcp-session-id': mine })).status).toBe(202);
  expect((await call).messages.some((message) => 'id' in message)).toBe(false);
  expect(state.events).toEqual(['waiting', 'waiting', 'aborted']);
  expect(await statusOf(url, other)).toBe(200);
  expect([otherEnded, state.events.length]).toEqual([false, 3]);

  await post(url, cancelled(5), { 'mcp-session-id': other });
  await otherCall;
  expect(state.events).toEqual(['waiting', 'waiting', 'aborted', 'aborted']);
});

test('a cancelled call does not keep its session or the server open, even if its client stays connected [M29]', async () => {
  const { url, state, close } = await start({ maxSessions: 1, drainMs: 120_000 });
  const session = await open(url);
  const call = post(url, callOf(5, 'wait_long'), { 'mcp-session-id': session });
  await expect.poll(() => state.events).toEqual(['waiting']);
  expect((await post(url, initializing)).status).toBe(503);
  await post(url, cancelled(5), { 'mcp-session-id': session });
  await expect.poll(async () => (await post(url, initializing)).status).toBe(200);
  await call;
  // Would wait for a running call for longer than the test's timeout.
  await close();
});

test('a session with a resumed call is in use: it is not evicted [M29]', async () => {
  const { url, state } = await start({ maxSessions: 1 });
  const session = { 'mcp-session-id': await open(url) };
  const dropped = await request(url, {
    method: 'POST',
    headers: { ...mcpHeaders, ...session, 'mcp-protocol-version': '2025-11-25' },
    body: JSON.stringify(callOf(5, 'wait_long')),
  });
  await expect.poll(() => state.events).toEqual(['waiting']);
  let eventId = '';
  for await (const chunk of dropped.body) {
    [, eventId = ''] = /^id: (\S+)$/m.exec(String(chunk)) ?? [];
    break;
  }
  let resumed: Awaited<ReturnType<typeof request>>['body'] | undefined;
  const takeUp = () =>
    request(url, {
      headers: { accept: 'text/event-stream', ...session, 'last-event-id': eventId },
    });
  // Also while its client is disconnected.
  expect((await post(url, initializing)).status).toBe(503);
  await expect
    .poll(async () => {
      const { statusCode, body } = await takeUp();
      resumed = body;
      return statusCode;
    })
    .toBe(200);
  expect((await post(url, initializing)).status).toBe(503);
  expect(state.events).toEqual(['waiting']);

  // Once cancelled, its new stream ends too, and a client that resumes it again is told not to.
  await post(url, cancelled(5), session);
  expect(await resumed?.text()).not.toContain('"id":5');
  expect((await takeUp()).statusCode).toBe(204);
  expect((await post(url, initializing)).status).toBe(200);
});

test('a dropped call that is never resumed keeps its session no longer than an idle one', async () => {
  stopTheClock();
  const { url, state } = await start({ idleSeconds: 60 });
  const session = await open(url);
  const hangUp = new AbortController();
  const call = post(url, callOf(5, 'wait_long'), { 'mcp-session-id': session }, hangUp.signal);
  await expect.poll(() => state.events).toEqual(['waiting']);
  hangUp.abort();
  await expect(call).rejects.toThrow();
  vi.advanceTimersByTime(59_000);
  expect(state.events).toEqual(['waiting']);
  // The disconnect is noticed at some point from here on.
  await expect
    .poll(() => {
      vi.advanceTimersByTime(31_000);
      return state.events;
    })
    .toEqual(['waiting', 'aborted']);
  expect(await statusOf(url, session)).toBe(404);
});

describe('is rejected', () => {
  test('a call or GET without a session: 400', async () => {
    const { url } = await start({ maxSessions: 1 });
    const session = await open(url);
    const response = await post(url, callOf(1, 'echo_text', { text: 'x' }));
    expect(response.status).toBe(400);
    expect(response.messages).toEqual([
      {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32_000,
          message: expect.stringMatching(
            /^Bad Request: Mcp-Session-Id is missing\. Send/,
          ) as string,
        },
      },
    ]);
    // No session was evicted for it.
    expect(await statusOf(url, session)).toBe(200);
    const { statusCode, body } = await request(url, { headers: { accept: 'text/event-stream' } });
    expect(statusCode).toBe(400);
    await body.dump();
  });

  test('an unknown session: 404', async () => {
    const { url } = await start();
    expect(await statusOf(url, 'nonsense')).toBe(404);
    expect(await statusOf(url, '')).toBe(404);
  });

  test('a malformed `initialize`: no session is evicted for it', async () => {
    const { url } = await start({ maxSessions: 1 });
    const first = await open(url);
    const versions = [{ toString: 1, valueOf: 1 }, ['2025-11-25'], 7, null];
    const changes = [
      { clientInfo: 1 },
      ...versions.map((protocolVersion) => ({ protocolVersion })),
    ];
    for (const change of changes) {
      const params = { ...initializing.params, ...change };
      const response = await post(url, { ...initializing, params });
      expect([response.status, response.headers['mcp-session-id']]).toEqual([200, undefined]);
      expect(response.messages).toMatchObject([{ id: 1, error: { code: -32_602 } }]);
    }
    expect(await statusOf(url, first)).toBe(200);
  });

  test('a second `initialize`: 400, and the session stays as it is', async () => {
    const { url } = await start();
    const session = await open(url);
    const response = await post(url, initializing, { 'mcp-session-id': session });
    expect([response.status, response.messages]).toEqual([
      400,
      [
        {
          jsonrpc: '2.0',
          id: null,
          error: { code: -32_600, message: 'Invalid Request: Server already initialized' },
        },
      ],
    ]);
    expect(await statusOf(url, session)).toBe(200);
  });

  test('a batch, as without sessions', async () => {
    const { url } = await start();
    const response = await post(url, [initializing]);
    expect(response.messages).toMatchObject([{ error: { code: -32_600 } }]);
  });
});

test('an idle session ends; one in use does not', async () => {
  stopTheClock();
  const { url } = await start({ idleSeconds: 60 });
  const [idle, used, listening] = [await open(url), await open(url), await open(url)];
  const stream = await request(url, {
    headers: { accept: 'text/event-stream', 'mcp-session-id': listening },
  });
  vi.advanceTimersByTime(45_000);
  expect(await statusOf(url, used)).toBe(200);
  vi.advanceTimersByTime(46_000);
  expect(await statusOf(url, used)).toBe(200);
  expect(await statusOf(url, listening)).toBe(200);
  expect(await statusOf(url, idle)).toBe(404);
  stream.body.on('error', () => undefined).destroy();
});

test('a session with a long call does not end, and is idle from the end of the call', async () => {
  stopTheClock();
  const { url } = await start({ idleSeconds: 60 });
  const session = await open(url);
  const running = await request(url, {
    method: 'POST',
    headers: { ...mcpHeaders, 'mcp-session-id': session },
    body: JSON.stringify(callOf(5, 'wait_briefly', {}, { progressToken: 1 })),
  });
  vi.advanceTimersByTime(120_000);
  expect(await running.body.text()).toContain('"result"');
  vi.advanceTimersByTime(59_000);
  expect(await statusOf(url, session)).toBe(200);
  vi.advanceTimersByTime(91_000);
  expect(await statusOf(url, session)).toBe(404);
});

describe('at the session limit', () => {
  test('the longest idle is evicted', async () => {
    const { url } = await start({ maxSessions: 2 });
    const first = await open(url);
    const second = await open(url);
    expect(await statusOf(url, first)).toBe(200);
    const third = await open(url);
    expect(await statusOf(url, second)).toBe(404);
    expect([await statusOf(url, first), await statusOf(url, third)]).toEqual([200, 200]);
  });

  test('none in use is ended: 503 with Retry-After', async () => {
    const { url, state } = await start({ maxSessions: 1 });
    const busy = await open(url);
    const hangUp = new AbortController();
    const call = post(url, callOf(1, 'wait_long'), { 'mcp-session-id': busy }, hangUp.signal);
    await expect.poll(() => state.events).toEqual(['waiting']);
    const response = await post(url, initializing);
    expect([response.status, response.headers['retry-after']]).toEqual([503, '5']);
    hangUp.abort();
    await expect(call).rejects.toThrow();
  });
});

test('a session belongs to its caller: others get a 404, and a caller’s own sessions are evicted first [M31]', async () => {
  const { runtime } = await start();
  const endpoint = createSessions(runtime, { idleSeconds: 60, maxSessions: 3 });
  onTestFinished(() => endpoint.close());
  const { url } = await startGateServer(inOrder([nameCaller, readBody(10_000), leadTo(endpoint)]));
  const as = (caller: string) => ({ 'x-test-caller': caller });
  const ada = await open(url, as('ada'));
  const bert = await open(url, as('bert'));
  expect(await statusOf(url, ada, as('ada'))).toBe(200);
  expect(await statusOf(url, ada, as('bert'))).toBe(404);
  const end = { method: 'DELETE' as const, headers: { ...as('bert'), 'mcp-session-id': ada } };
  expect((await request(url, end)).statusCode).toBe(404);
  const listen = { headers: { ...as('bert'), ...mcpHeaders, 'mcp-session-id': ada } };
  expect((await request(url, listen)).statusCode).toBe(404);

  // Ada's session is now the least recently used.
  expect(await statusOf(url, bert, as('bert'))).toBe(200);
  const more = [await open(url, as('bert')), await open(url, as('bert'))];
  expect(await statusOf(url, bert, as('bert'))).toBe(404);
  for (const initialize of more) expect(await statusOf(url, initialize, as('bert'))).toBe(200);
  expect(await statusOf(url, ada, as('ada'))).toBe(200);
  // A caller without sessions evicts the least recently used of all callers.
  await open(url, as('carl'));
  const statuses = more.map((initialize) => statusOf(url, initialize, as('bert')));
  expect(await Promise.all(statuses)).toEqual([404, 200]);
});

/** Replaces authentication: the request names its caller. */
const nameCaller: Middleware = (exchange) => {
  exchange.caller = { id: String(exchange.request.headers['x-test-caller']) };
  return undefined;
};

function leadTo(endpoint: Endpoint): Middleware {
  return async (exchange) => {
    const incoming = readIncoming(exchange.body);
    await endpoint.handle(exchange, incoming.kind === 'invalid' ? undefined : incoming);
    return undefined;
  };
}
