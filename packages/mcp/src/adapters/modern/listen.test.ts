/** `subscriptions/listen`: filters, notifications and termination. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { request, type Dispatcher } from 'undici';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { mcpHeaders, post, startServer } from '../../../test/doubles/http-server.ts';
import { modern } from '../../../test/doubles/modern-messages.ts';
import { createProbeService } from '../../../test/probes/probe-service.ts';
import { Changes } from '../../core/context/changes.ts';

type Message = Readonly<Record<string, unknown>>;

/** Opens a subscription until the end of the test, and collects its messages as they arrive. */
async function listen(url: string, notifications: object, more: Record<string, string> = {}) {
  const { message, headers } = modern('subscriptions/listen', { notifications });
  const hangUp = new AbortController();
  const response: Dispatcher.ResponseData = await request(url, {
    method: 'POST',
    headers: { ...mcpHeaders, ...headers, ...more },
    body: JSON.stringify(message),
    signal: hangUp.signal,
  });
  onTestFinished(() => {
    hangUp.abort();
  });
  let text = '';
  response.body.on('error', () => undefined);
  response.body.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = new Promise<void>((resolve) => response.body.once('end', resolve));
  const heard = (): Message[] =>
    [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data) as Message);
  return { heard, ended, hangUp, status: response.statusCode, headers: response.headers };
}

const tag = { 'io.modelcontextprotocol/subscriptionId': 7 };
const acknowledged = (notifications: object) => ({
  jsonrpc: '2.0',
  method: 'notifications/subscriptions/acknowledged',
  params: { notifications, _meta: tag },
});
const updated = (uri: string) => ({
  jsonrpc: '2.0',
  method: 'notifications/resources/updated',
  params: { uri, _meta: tag },
});
const listChanged = {
  jsonrpc: '2.0',
  method: 'notifications/resources/list_changed',
  params: { _meta: tag },
};
const end = {
  jsonrpc: '2.0',
  id: 7,
  result: {
    resultType: 'complete',
    _meta: { ...tag, 'io.modelcontextprotocol/serverInfo': expect.anything() as object },
  },
};

const uri = 'note://notes/a';

test('a client first receives the acknowledged filter, then only matching notifications', async () => {
  const { url, state } = await startServer();
  const { heard, status, headers } = await listen(url, {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: [uri, uri, 'nothing://here'],
  });
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/event-stream');
  // Lists of tools and prompts never change, and the second resource does not exist.
  const filter = { resourcesListChanged: true, resourceSubscriptions: [uri] };
  await expect.poll(heard).toEqual([acknowledged(filter)]);
  state.changes.updated('note://notes/b');
  state.changes.updated(uri);
  await expect.poll(heard).toEqual([acknowledged(filter), updated(uri)]);
  state.changes.listChanged();
  await expect.poll(heard).toEqual([acknowledged(filter), updated(uri), listChanged]);
});

test('list changes are not sent without a subscription to them', async () => {
  const { url, state } = await startServer();
  const { heard } = await listen(url, { resourceSubscriptions: [uri] });
  await expect.poll(heard).toHaveLength(1);
  state.changes.listChanged();
  state.changes.updated(uri);
  await expect.poll(heard).toEqual([acknowledged({ resourceSubscriptions: [uri] }), updated(uri)]);
});

test('a change for one caller is not sent to others', async () => {
  const { url, state } = await startServer();
  const { heard } = await listen(url, { resourceSubscriptions: [uri] });
  await expect.poll(heard).toHaveLength(1);
  state.changes.updated(uri, 'somebody else');
  state.changes.updated(uri, 'local');
  await expect.poll(heard).toHaveLength(2);
});

test('repeated changes of one resource are coalesced', async () => {
  const { url, state } = await startServer();
  const { heard } = await listen(url, { resourceSubscriptions: [uri, 'note://notes/b'] });
  await expect.poll(heard).toHaveLength(1);
  for (let times = 0; times < 1_000; times += 1) state.changes.updated(uri);
  state.changes.updated('note://notes/b');
  await expect.poll(() => heard().at(-1)).toEqual(updated('note://notes/b'));
  expect(heard().length).toBeLessThanOrEqual(4);
});

describe('a subscription ends', () => {
  test('with a response when the server shuts down, which does not wait for it', async () => {
    const { url, close } = await startServer({ drainMs: 60_000 });
    const { heard, ended } = await listen(url, { resourcesListChanged: true });
    await expect.poll(heard).toHaveLength(1);
    await Promise.all([close(), ended]);
    expect(heard()).toEqual([acknowledged({ resourcesListChanged: true }), end]);
  });

  test('when its client disconnects, and frees its slot', async () => {
    const { url, runtime } = await startServer({ limits: { subscriptions: 1 } });
    const { heard, hangUp } = await listen(url, { resourcesListChanged: true });
    await expect.poll(heard).toHaveLength(1);
    const another = { receive: vi.fn(), end: vi.fn() };
    expect(runtime.subscriptions.open(another)).toBeUndefined();
    const { message, headers } = modern('subscriptions/listen', {
      notifications: { resourcesListChanged: true },
    });
    const refused = await post(url, message, headers);
    expect(refused.messages).toEqual([
      { jsonrpc: '2.0', id: 7, error: { code: -32_603, message: 'Too many subscriptions' } },
    ]);
    hangUp.abort();
    await expect
      .poll(() => {
        const close = runtime.subscriptions.open(another);
        close?.();
        return close !== undefined;
      })
      .toBe(true);
  });

  test.each([
    ['lists that never change', { toolsListChanged: true }, undefined],
    ['an empty filter', {}, undefined],
    ['a service that publishes no changes', { resourcesListChanged: true }, 'silent'],
  ])('immediately if it matches nothing: %s', async (_, notifications, silent) => {
    const probe = createProbeService();
    const start = async () => {
      const { changes, ...lifespan } = await probe.start();
      expect(changes).toBeInstanceOf(Changes);
      return lifespan;
    };
    const { url } = await startServer(silent ? { service: { ...probe, start } } : {});
    const { heard, ended } = await listen(url, notifications);
    await ended;
    expect(heard()).toEqual([acknowledged({}), end]);
  });
});

test.each([{}, { notifications: 'all' }, { notifications: { resourceSubscriptions: 'a' } }])(
  'an invalid filter is rejected: %j',
  async (params) => {
    const { url } = await startServer();
    const { message, headers } = modern('subscriptions/listen', params);
    const { messages } = await post(url, message, headers);
    expect(messages).toMatchObject([{ id: 7, error: { code: -32_602 } }]);
  },
);

test('the SDK’s client follows a resource', async () => {
  const { url } = await startServer();
  const client = new Client(
    { name: 'test', version: '0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  onTestFinished(() => client.close());
  const heard: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    heard.push(params.uri);
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const subscription = await client.listen({ resourceSubscriptions: [uri] });
  await client.callTool({ name: 'probe_change_note', arguments: { text: 'a' } });
  await expect.poll(() => heard).toEqual([uri]);
  await subscription.close();
});
