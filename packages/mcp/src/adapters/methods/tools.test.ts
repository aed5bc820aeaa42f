/** The access log of tool calls. */
import { expect, test } from 'vitest';
import { connectClient } from '../../../test/doubles/connected-client.ts';
import { plantedSecret } from '../../../test/probes/probe-service.ts';

const calls = (logged: readonly string[]) =>
  logged
    .map(
      (line) => JSON.parse(line) as { level: string; msg: string; data: Record<string, unknown> },
    )
    .filter(({ msg }) => msg === 'Tool call');

const ms = expect.any(Number) as number;

test('each call has one log line at info, with the id that its result has [M22]', async () => {
  const { client, logged } = await connectClient();
  const echo = { name: 'probe_echo_text', arguments: { text: plantedSecret } };
  const results = [
    await client.callTool(echo),
    await client.callTool({ name: 'probe_throw_error', arguments: { text: 'tool' } }),
    await client.callTool({ name: 'probe_echo_text', arguments: {} }),
  ];
  const [text, thrown, refused] = calls(logged);
  expect(text).toMatchObject({
    level: 'info',
    data: { caller: 'ada', tool: 'probe_echo_text', status: 'ok', size: plantedSecret.length },
  });
  expect(text?.data).toMatchObject({ ms, upstreamMs: 0 });
  expect(thrown?.data).toMatchObject({ tool: 'probe_throw_error', status: 'error' });
  expect(refused?.data).toMatchObject({ tool: 'probe_echo_text', status: 'error' });
  const ids = results.map(({ _meta }) => _meta?.['callId']);
  expect(ids).toEqual([text, thrown, refused].map((line) => line?.data['callId']));
  expect(new Set(ids).size).toBe(3);
  // The log contains neither arguments nor results.
  expect(logged.join('')).not.toContain(plantedSecret);
});

test('a call’s log messages and its error have its id [M22]', async () => {
  const { client, logged } = await connectClient();
  const failed = await client.callTool({
    name: 'probe_throw_error',
    arguments: { text: 'unexpected' },
  });
  const wrote = await client.callTool({ name: 'probe_write_logs', arguments: {} });
  const idsOf = (callId: unknown) => logged.filter((line) => line.includes(String(callId))).length;
  expect([failed, wrote].map(({ _meta }) => idsOf(_meta?.['callId']))).toEqual([2, 4]);
});

test('a cancelled call is logged as cancelled [M22]', async () => {
  const { client, logged, state } = await connectClient();
  const cancel = new AbortController();
  const call = { name: 'probe_wait_long', arguments: {} };
  const called = client.callTool(call, undefined, { signal: cancel.signal });
  await expect.poll(() => state.events).toEqual(['waiting']);
  cancel.abort();
  await expect(called).rejects.toThrow();
  await expect.poll(() => calls(logged)).toMatchObject([{ data: { status: 'cancelled' } }]);
});
