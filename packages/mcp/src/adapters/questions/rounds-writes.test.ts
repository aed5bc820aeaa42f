/** Writes of a tool that also asks its user: the handler runs again for each answer. */
import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectClient, textOf } from '../../../test/doubles/connected-client.ts';
import { metaOf, modernCall } from '../../../test/doubles/modern-messages.ts';
import { toolContext } from '../../testing/tool-context-double.ts';
import { json, startUpstreamDouble } from '../../testing/upstream-double.ts';
import {
  accept,
  withReply,
  elicitName,
  call,
  send,
  service,
  start,
  toolRuns,
  type Run,
} from '../../../test/questions/question-probe.ts';
import type { ProbeState } from '../../../test/probes/probe-service.ts';
import type { ToolContext } from '../../core/context/tool-context.ts';
import { createUpstream, type RequestOptions } from '../../core/upstream/client.ts';
import { path } from '../../core/upstream/path.ts';

describe('writes', () => {
  async function startWriting() {
    const double = await startUpstreamDouble();
    const upstream = createUpstream({ baseUrl: double.url });
    onTestFinished(async () => {
      await upstream.close();
      await double.close();
    });
    double.reply(json({}));
    const write = (context: ToolContext, options: RequestOptions = {}) =>
      upstream.request(path`/things`, { method: 'POST', body: {}, ...options }, context);
    return { double, write, upstream };
  }

  const bare =
    /^Error: This tool wrote to its service before it asked its user, without an idempotency key, and so it does not ask/;

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    'a %s before a question without an idempotency key is reported instead of the question [M23]',
    async (method) => {
      const { double, write } = await startWriting();
      toolRuns(async (context) => {
        await write(context, { method });
        return elicitName(context);
      });
      const { url } = await start();
      const { result } = await call(url);
      expect(result).toMatchObject({ resultType: 'complete', isError: true });
      expect(textOf(result)).toMatch(bare);
      expect(double.requests).toHaveLength(1);
    },
  );

  test('the same applies in the older era and in the tool’s test double [M23]', async () => {
    const { write } = await startWriting();
    const writeThenElicit: Run = async (context) => {
      await write(context);
      return elicitName(context);
    };
    await expect(writeThenElicit(toolContext<ProbeState>())).rejects.toThrow(
      /without an idempotency key/,
    );
    toolRuns(writeThenElicit);
    const { client } = await connectClient({
      service: service(),
      client: { capabilities: { elicitation: {} } },
    });
    expect(textOf(await client.callTool({ name: 'probe_run_test', arguments: {} }))).toMatch(bare);
  });

  test('reads before a question and writes after it are allowed', async () => {
    const { double, write } = await startWriting();
    toolRuns(async (context) => {
      await write(context, { method: 'GET', body: undefined });
      const reply = await elicitName(context);
      await write(context);
      return reply;
    });
    const { url } = await start();
    const { questions } = await call(url);
    const { result } = await call(url, withReply(questions, accept('x')));
    expect(result).toMatchObject({ resultType: 'complete' });
    expect(double.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST']);
  });

  test('with the call’s own key, a write has the same key in each run and a new one in the next call', async () => {
    const { double, write } = await startWriting();
    toolRuns(async (context) => {
      await write(context, { idempotencyKey: context.idempotencyKey });
      await write(context, { idempotencyKey: `${context.idempotencyKey}-2` });
      return elicitName(context);
    });
    const { url } = await start();
    for (let times = 0; times < 2; times += 1) {
      const { questions } = await call(url);
      const { result } = await call(url, withReply(questions, accept('x')));
      expect(result).toMatchObject({ resultType: 'complete' });
    }
    const keys = double.requests.map(({ headers }) => headers['idempotency-key']);
    const [first, second, again, andSecond, other] = keys;
    expect([again, andSecond, second]).toEqual([first, second, `${String(first)}-2`]);
    expect(other).not.toBe(first);
    expect(keys).toHaveLength(8);
  });

  test('a write that fails in a later run may have been made in the earlier one, and the text says so [M32]', async () => {
    const { double, write } = await startWriting();
    double.reply(json({}), json({}, 500));
    toolRuns(async (context) => {
      await write(context, { idempotencyKey: context.idempotencyKey });
      return elicitName(context);
    });
    const { url } = await start();
    const { questions } = await call(url);
    const { result } = await call(url, withReply(questions, accept('x')));
    expect(textOf(result)).toBe(
      'Error: API request failed with status 500\nA write of this call may have succeeded: look at what it changed before you call again.',
    );
  });

  test('a read by POST may precede a question', async () => {
    const { write } = await startWriting();
    toolRuns(async (context) => {
      await write(context, { isRead: true });
      return elicitName(context);
    });
    const { url } = await start();
    const { result } = await call(url);
    expect(result).toMatchObject({ resultType: 'input_required' });
  });

  test('with a key that changes between runs, the second write is rejected with the reason', async () => {
    const { double, write } = await startWriting();
    toolRuns(async (context) => {
      await write(context, { idempotencyKey: randomUUID() });
      return elicitName(context);
    });
    const { url } = await start();
    const { questions } = await call(url);
    const { result } = await call(url, withReply(questions, accept('x')));
    expect(textOf(result)).toMatch(/^Error: This tool would write again what it wrote before/);
    expect(double.requests).toHaveLength(1);
  });

  test('a write while the page of a secret opens is reported too', async () => {
    const { write } = await startWriting();
    toolRuns(async (context) => {
      await Promise.all([context.elicit('Your key', 'password'), write(context)]);
      return 'asked';
    });
    const { url } = await start({ sessions: { idleSeconds: 60, maxSessions: 10 } });
    const pages = metaOf({ elicitation: { url: {} } });
    const { result } = await send(url, modernCall('run_test', {}, pages));
    expect(result).toMatchObject({ resultType: 'complete', isError: true });
    expect(textOf(result)).toMatch(bare);
  });

  test('if a handler catches the question, its result is dropped and its writes are rejected', async () => {
    const { double, write } = await startWriting();
    toolRuns(async (context) => {
      const reply = await elicitName(context).catch(() => 'caught');
      await write(context).catch(() => undefined);
      return reply;
    });
    const { url } = await start();
    const { result, questions } = await call(url);
    expect(result).toMatchObject({ resultType: 'input_required' });
    expect(double.requests).toHaveLength(0);
    await call(url, withReply(questions, accept('x')));
    expect(double.requests).toHaveLength(1);
  });
});
