/** Both eras over one pipe: each message is handled by its own era. */
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { callOf, initializing } from '../../../test/doubles/messages.ts';
import { metaOf, modern, modernCall } from '../../../test/doubles/modern-messages.ts';
import { createProbeService, type ProbeState } from '../../../test/probes/probe-service.ts';
import { createRuntime } from '../../adapters/runtime.ts';
import { createLog } from '../../core/context/log.ts';
import { runStdio } from './stdio.ts';

type Message = Readonly<Record<string, unknown>>;

async function serve() {
  const runtime = await createRuntime({
    service: createProbeService(),
    version: '1.2.3',
    log: createLog({ level: 'silent' }),
  });
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const ended = runStdio({ runtime, stdin, stdout, drainMs: 60_000 });
  onTestFinished(async () => {
    stdin.end();
    await ended;
    await runtime.stop();
  });
  let text = '';
  stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return {
    stdin,
    ended,
    state: runtime.state as ProbeState,
    heard: () =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Message),
    send: (...messages: readonly object[]) => {
      for (const message of messages) stdin.write(`${JSON.stringify(message)}\n`);
    },
  };
}

const withId = (id: number | string, { message }: ReturnType<typeof modern>) => ({
  ...message,
  id,
});

test('each message is answered in its own era, in any order [M28]', async () => {
  const { send, heard } = await serve();
  send(
    withId(6, modern('server/discover')),
    initializing,
    withId(2, modernCall('echo_text', { text: 'now' })),
    callOf(3, 'echo_text', { text: 'before' }),
    withId(4, modern('ping')),
    { jsonrpc: '2.0', id: 5, method: 'ping' },
  );
  await expect.poll(() => heard().length).toBe(6);
  const responses = heard();
  const of = (id: number) => responses.filter((response) => response['id'] === id);
  expect(of(6)).toMatchObject([
    { result: { resultType: 'complete', supportedVersions: expect.anything() as object } },
  ]);
  expect(of(1)).toMatchObject([{ result: { protocolVersion: '2025-11-25' } }]);
  expect(of(2)).toMatchObject([
    { result: { resultType: 'complete', structuredContent: { text: 'now' } } },
  ]);
  expect(of(3)).toMatchObject([{ result: { structuredContent: { text: 'before' } } }]);
  expect(of(3)[0]?.['result']).not.toHaveProperty('resultType');
  expect(of(4)).toMatchObject([{ error: { code: -32_601 } }]);
  expect(of(5)).toEqual([{ jsonrpc: '2.0', id: 5, result: {} }]);
});

test('the capabilities of one request do not apply to another [M23]', async () => {
  const { send, heard } = await serve();
  const forms = metaOf({ elicitation: {} });
  send(
    { ...initializing, params: { ...initializing.params, capabilities: { elicitation: {} } } },
    withId('can', modernCall('ask_user', { text: 'text' }, forms)),
    withId('cannot', modernCall('ask_user', { text: 'text' })),
  );
  await expect.poll(() => heard().length).toBe(3);
  const of = (id: string) => heard().find((response) => response['id'] === id);
  expect(of('can')).toMatchObject({ result: { resultType: 'input_required' } });
  expect(of('cannot')).toMatchObject({ error: { code: -32_021 } });
  // In the modern era the server sends no requests of its own.
  expect(heard().filter((message) => 'method' in message)).toEqual([]);
});

test('a cancelled call is aborted without a response, and the next one is answered', async () => {
  const { send, heard, state } = await serve();
  send(withId(1, modernCall('wait_long')));
  await expect.poll(() => state.events).toEqual(['waiting']);
  send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  await expect.poll(() => state.events).toEqual(['waiting', 'aborted']);
  send(withId(2, modernCall('echo_text', { text: 'x' })));
  await expect.poll(heard).toMatchObject([{ id: 2 }]);
});

test('two subscriptions are independent; a cancelled one gets no more messages, the other ends with the input', async () => {
  const { send, heard, state, stdin, ended } = await serve();
  const uri = 'note://notes/a';
  const notifications = { resourceSubscriptions: [uri] };
  const listen = modern('subscriptions/listen', { notifications });
  send(withId('one', listen), withId('two', listen));
  await expect.poll(() => heard().length).toBe(2);
  state.changes.updated(uri);
  await expect.poll(() => heard().length).toBe(4);
  send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'one' } });
  send(withId(3, modernCall('change_note', { text: 'a' })));
  await expect.poll(() => heard().length).toBe(6);
  stdin.end();
  await ended;
  const tagged = heard().map(({ method, params, id, result }) => [
    method ?? id,
    ((params ?? result) as { _meta: Message })._meta['io.modelcontextprotocol/subscriptionId'],
  ]);
  expect(tagged.sort()).toEqual(
    [
      ['notifications/subscriptions/acknowledged', 'one'],
      ['notifications/subscriptions/acknowledged', 'two'],
      ['notifications/resources/updated', 'one'],
      ['notifications/resources/updated', 'two'],
      ['notifications/resources/updated', 'two'],
      [3, undefined],
      ['two', 'two'],
    ].sort(),
  );
});
