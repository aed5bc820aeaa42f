/** The service's `around` hook: its arguments, its right to reject a call, and its limits. */
import { expect, test, vi } from 'vitest';
import { connectClient, textOf } from '../../../test/doubles/connected-client.ts';
import { createProbeService, plantedSecret } from '../../../test/probes/probe-service.ts';
import type { CallOutcome, ToolCall } from '../../core/definition/around.ts';
import type { ServiceDefinition } from '../../core/definition/service-definition.ts';
import { ToolError } from '../../core/result/errors.ts';
import type { ProbeState } from '../../../test/probes/probe-service.ts';

type Around = NonNullable<ServiceDefinition<ProbeState>['around']>;

function connect(around: Around, tools = createProbeService().tools) {
  return connectClient({ service: { ...createProbeService(), tools, around } });
}

const echo = (text: unknown = 'hi') => ({ name: 'probe_echo_text', arguments: { text } });
const linesOf = (logged: readonly string[], words: string) =>
  logged.map((line) => JSON.parse(line) as { msg: string }).filter(({ msg }) => msg === words);

test('the hook receives the caller, the tool, the arguments, the state and the outcome of each call', async () => {
  const seen: unknown[] = [];
  const { client } = await connect(async ({ callId, tool, args, context }, next) => {
    const outcome = await next();
    const { caller, lifespanState } = context;
    seen.push([caller.id, tool.name, args, lifespanState.startedAs, outcome.status, outcome.text]);
    seen.push(callId);
    return outcome;
  });
  const { _meta } = await client.callTool(echo());
  expect(seen).toEqual([
    ['ada', 'probe_echo_text', { text: 'hi' }, 'probe', 'ok', 'hi'],
    _meta?.['callId'],
  ]);
  // Arguments that the tool's model rejects count as a call too.
  await client.callTool(echo(7));
  expect(seen[2]).toEqual(expect.arrayContaining([{ text: 7 }, 'error']));
});

test('a call that the hook rejects is not run, returns the hook’s error text, and is logged [M22 M32]', async () => {
  const { client, state, logged } = await connect(({ tool }, next) => {
    if (tool.name === 'probe_change_note') throw new ToolError('Not on a Sunday.');
    return next();
  });
  const changed = vi.fn();
  state.changes.listen(changed);
  const refused = await client.callTool({
    name: 'probe_change_note',
    arguments: { text: 'a' },
  });
  expect(refused.isError).toBe(true);
  expect(textOf(refused)).toBe('Error: Not on a Sunday.');
  expect(changed).not.toHaveBeenCalled();
  expect(linesOf(logged, 'Tool call')).toMatchObject([
    { data: { tool: 'probe_change_note', status: 'error', callId: refused._meta?.['callId'] } },
  ]);
  // Negative control: a call that the hook permits runs.
  expect(textOf(await client.callTool(echo()))).toBe('hi');
});

test('any other error that the hook throws appears in the log only [M32]', async () => {
  const { client, logged } = await connect(() => {
    throw new RangeError(plantedSecret);
  });
  const result = await client.callTool(echo());
  expect(textOf(result)).toBe('Error: Unexpected error occurred: RangeError');
  expect(linesOf(logged, 'The hook around a call failed')).toHaveLength(1);
});

const writing = createProbeService().tools.map((tool) => ({
  ...tool,
  annotations: { ...tool.annotations, readOnlyHint: false },
}));

test('if the hook fails after a write, the error text states that the write is done [M32]', async () => {
  const failing: Around = async (_, next) => {
    await next();
    throw new ToolError('The audit is full.');
  };
  const read = await connect(failing);
  expect(textOf(await read.client.callTool(echo()))).toBe('Error: The audit is full.');
  const written = await connect(failing, writing);
  expect(textOf(await written.client.callTool(echo()))).toBe(
    'Error: It is done, do not call this again. But: The audit is full.',
  );
});

test.each<[string, Around]>([
  ['calls the tool twice', async (_, next) => next().then(next)],
  ['answers in the tool’s place', () => Promise.resolve({ status: 'ok', text: 'all well' })],
  ['changes the outcome', async (_, next) => ({ ...(await next()), text: 'all well' })],
])('a hook that %s is reported as an error of the service', async (_, around) => {
  const { client } = await connect(around);
  const result = await client.callTool(echo());
  expect(textOf(result)).toBe('Error: Unexpected error occurred: Error');
});

test('a cancelled call rejects `next()`, and is not logged as a failure of the hook', async () => {
  const outcomes: unknown[] = [];
  const around = async (_: ToolCall<ProbeState>, next: () => Promise<CallOutcome>) => {
    try {
      return await next();
    } catch (error) {
      outcomes.push('rejected');
      throw error;
    }
  };
  const { client, state, logged } = await connect(around);
  const cancel = new AbortController();
  const params = { name: 'probe_wait_long', arguments: {} };
  const called = client.callTool(params, undefined, { signal: cancel.signal });
  await expect.poll(() => state.events).toEqual(['waiting']);
  cancel.abort();
  await expect(called).rejects.toThrow();
  await expect
    .poll(() => linesOf(logged, 'Tool call'))
    .toMatchObject([{ data: { status: 'cancelled' } }]);
  expect(outcomes).toEqual(['rejected']);
  expect(linesOf(logged, 'The hook around a call failed')).toEqual([]);
});
