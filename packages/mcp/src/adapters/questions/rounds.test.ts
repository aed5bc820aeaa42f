/** Elicitation in the modern era over HTTP: questions and request state. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { textOf } from '../../../test/doubles/connected-client.ts';
import { metaOf, modern, modernCall } from '../../../test/doubles/modern-messages.ts';
import {
  accept,
  withReply,
  elicitName,
  call,
  forms,
  textResult,
  send,
  start,
  toolRuns,
} from '../../../test/questions/question-probe.ts';

test('a question is a result, and its answer completes the call [M23]', async () => {
  toolRuns(elicitName);
  const logged = vi.fn();
  const { url } = await start({ logged });
  const { status, result, questions } = await call(url);
  expect(status).toBe(200);
  expect(result).toEqual({
    resultType: 'input_required',
    inputRequests: {
      'question-1': {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: 'Your name?',
          requestedSchema: {
            type: 'object',
            properties: { value: { type: 'string', minLength: 1, maxLength: 1_000 } },
            required: ['value'],
          },
        },
      },
    },
    requestState: expect.stringMatching(/^v1\.[\w-]+$/) as string,
    _meta: {
      callId: expect.any(String) as string,
      'io.modelcontextprotocol/serverInfo': expect.anything() as object,
    },
  });
  expect(logged).toHaveBeenCalledWith(expect.stringContaining('"status":"asks"'));
  const { result: last } = await call(url, withReply(questions, accept(' Ada ')));
  expect(last).toMatchObject(textResult('{"action":"accept","value":"Ada"}'));
});

test.each(['decline', 'cancel'])(
  'a user who chose to %s does not cause an error [M23]',
  async (action) => {
    toolRuns(elicitName);
    const { url } = await start();
    const { questions } = await call(url);
    const { result } = await call(url, withReply(questions, { action }));
    expect(result).toMatchObject(textResult(JSON.stringify({ action })));
  },
);

test('the state is opaque to the client', async () => {
  toolRuns(async (context) => {
    await context.elicit('A secret question?', 'text');
    return JSON.stringify(await context.elicit('Another?', 'text'));
  });
  const { url } = await start();
  const first = await call(url);
  const { questions } = await call(url, withReply(first.questions, accept('a secret answer')));
  const bytes = Buffer.from(questions.requestState.slice(3), 'base64url').toString('latin1');
  expect(bytes).not.toMatch(/secret|question|answer|local|run_test/);
});

describe('several questions', () => {
  test('in sequence: the handler starts again, and each question is asked once [M23]', async () => {
    const runs: string[] = [];
    toolRuns(async (context) => {
      runs.push('begun');
      const first = await context.elicit('First?', 'number');
      runs.push(`first ${JSON.stringify(first)}`);
      const second = await context.elicit('Second?', 'boolean');
      return JSON.stringify([first, second]);
    });
    const { url } = await start();
    const first = await call(url);
    const second = await call(url, withReply(first.questions, accept(1)));
    expect(Object.entries(second.questions.inputRequests)).toMatchObject([
      ['question-2', { params: { message: 'Second?' } }],
    ]);
    const { result } = await call(url, withReply(second.questions, accept(true)));
    const both = '[{"action":"accept","value":1},{"action":"accept","value":true}]';
    expect(result).toMatchObject(textResult(both));
    expect(runs.filter((run) => run === 'begun')).toHaveLength(3);
  });

  test('in parallel: all are asked together, and only the unanswered ones are asked again', async () => {
    toolRuns(async (context) =>
      JSON.stringify(
        await Promise.all(['A?', 'B?'].map((prompt) => context.elicit(prompt, 'text'))),
      ),
    );
    const { url } = await start();
    const { questions } = await call(url);
    expect(Object.keys(questions.inputRequests)).toEqual(['question-1', 'question-2']);
    const inputResponses = { 'question-2': accept('b'), 'question-9': accept('z') };
    const again = await call(url, { ...questions, inputResponses });
    expect(Object.keys(again.questions.inputRequests)).toEqual(['question-1']);
    const { result } = await call(url, withReply(again.questions, accept('a')));
    expect(result).toMatchObject(
      textResult('[{"action":"accept","value":"a"},{"action":"accept","value":"b"}]'),
    );
  });

  test('an answer is valid only for its own question: a changed question is asked again', async () => {
    let project = 'Atlas';
    toolRuns(async (context) =>
      JSON.stringify(await context.elicit(`Delete ${project} for good?`, 'boolean')),
    );
    const { url } = await start();
    const { questions } = await call(url);
    project = 'Beacon';
    const again = await call(url, withReply(questions, accept(true)));
    expect(again.questions.inputRequests['question-1']?.params).toMatchObject({
      message: 'Delete Beacon for good?',
    });
    const { result } = await call(url, withReply(again.questions, accept(false)));
    expect(result).toMatchObject(textResult('{"action":"accept","value":false}'));
  });
});

test('an answer of another type is an error of the tool, as in the older era [M23]', async () => {
  toolRuns(elicitName);
  const { url } = await start();
  const { questions } = await call(url);
  const { result } = await call(url, withReply(questions, accept(7)));
  expect(textOf(result)).toBe(
    'Error: The answer was not a text of 1 to 1,000 characters. Please ask again.',
  );
});

describe('a state is rejected', () => {
  const refusal = (why: string) => ({
    code: -32_602,
    message: `Invalid params: requestState ${why}. Call again without it.`,
  });
  const foreign = refusal('is not of this call');

  beforeEach(() => {
    toolRuns(elicitName);
  });

  test('if any byte was altered, or if it was made up', async () => {
    const { url } = await start();
    const { questions } = await call(url);
    const bytes = Buffer.from(questions.requestState.slice(3), 'base64url');
    const altered = [0, 11, 12, 27, 28, bytes.length - 1].map((index) => {
      const copy = Buffer.from(bytes);
      copy[index] = (copy[index] ?? 0) ^ 1;
      return `v1.${copy.toString('base64url')}`;
    });
    const made = ['', 'v1.', 'v2.x', 'x', 7, null, {}, questions.requestState.slice(3)];
    for (const requestState of [...altered, ...made]) {
      const { status, error } = await call(url, {
        ...withReply(questions, accept('x')),
        requestState,
      });
      expect({ status, error }, JSON.stringify(requestState)).toEqual({
        status: 200,
        error: foreign,
      });
    }
    // The rejected attempts did not consume the valid state.
    const { result } = await call(url, withReply(questions, accept('x')));
    expect(result).toMatchObject({ resultType: 'complete' });
  });

  test('for another tool, other arguments, or another caller', async () => {
    const { url } = await start({
      authentication: { kind: 'bearer', token: 'the-one-token-of-this-test' },
    });
    const authorization = { authorization: 'Bearer the-one-token-of-this-test' };
    const { questions } = await call(url, {}, { a: 'x', b: 'y' }, authorization);
    const again = withReply(questions, accept('x'));
    const other = modernCall('run_other', { a: 'x', b: 'y' }, forms, again);
    expect((await send(url, other, authorization)).error).toEqual(foreign);
    for (const args of [{}, { a: 'x' }, { a: 'y', b: 'x' }]) {
      expect((await call(url, again, args, authorization)).error).toEqual(foreign);
    }
    const open = await start({ stateKeys: ['k'.repeat(32)] });
    const closed = await start({
      stateKeys: ['k'.repeat(32)],
      authentication: { kind: 'bearer', token: 'the-one-token-of-this-test' },
    });
    const theirs = await call(closed.url, {}, {}, authorization);
    const { error } = await call(open.url, withReply(theirs.questions, accept('x')));
    expect(error).toEqual(foreign);
    // The order of fields does not matter.
    const { result } = await call(url, again, { b: 'y', a: 'x' }, authorization);
    expect(result).toMatchObject({ resultType: 'complete' });
  });

  test('after its first use', async () => {
    const { url } = await start();
    const { questions } = await call(url);
    const again = withReply(questions, accept('x'));
    const [first, second] = await Promise.all([call(url, again), call(url, again)]);
    expect([first.error, second.error].filter(Boolean)).toEqual([refusal('was used before')]);
  });

  test('after the user’s time to answer', async () => {
    const { url } = await start({ limits: { elicitationMs: 60_000 } });
    const { questions } = await call(url);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_001 });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    expect((await call(url, withReply(questions, accept('x')))).error).toEqual(
      refusal('has expired'),
    );
  });

  test('of another server, unless both have its key', async () => {
    const [old, next] = ['o'.repeat(32), 'n'.repeat(32)];
    const servers = await Promise.all([
      start({ stateKeys: [old] }),
      start({ stateKeys: [next, old] }),
      start({ stateKeys: [next] }),
      start(),
    ]);
    const [before, turning, after, alone] = servers.map(({ url }) => url);
    const moved = async (from = '', to = '') => {
      const { questions } = await call(from);
      const { error, result } = await call(to, withReply(questions, accept('x')));
      return error?.['message'] ?? result?.['resultType'];
    };
    expect(await moved(before, turning)).toBe('complete');
    expect(await moved(turning, after)).toBe('complete');
    expect(await moved(before, after)).toBe(foreign.message);
    expect(await moved(turning, before)).toBe(foreign.message);
    expect(await moved(alone, before)).toBe(foreign.message);
  });
});

test.each([
  ['inputResponses', 'x'],
  ['inputResponses.question-1', { 'question-1': 'yes' }],
  ['inputResponses.question-1', { 'question-1': { action: 'shrug' } }],
])('invalid answers are rejected, and can be corrected: %s', async (field, inputResponses) => {
  toolRuns(elicitName);
  const { url } = await start();
  const { questions } = await call(url);
  const { error } = await call(url, { ...questions, inputResponses });
  expect(error).toEqual({
    code: -32_602,
    message: expect.stringMatching(`^Invalid params: ${field} must be `) as string,
  });
  const { result } = await call(url, withReply(questions, { action: 'decline' }));
  expect(result).toMatchObject(textResult('{"action":"decline"}'));
});

test('answers without a state have no effect', async () => {
  toolRuns(elicitName);
  const { url } = await start();
  const { result } = await call(url, { inputResponses: { 'question-1': accept('x') } });
  expect(result).toMatchObject({ resultType: 'input_required' });
});

describe('a client that does not support elicitation', () => {
  test.each([
    ['nothing', metaOf()],
    ['pages alone', metaOf({ elicitation: { url: {} } })],
  ])('and declares %s is told which capability is required [M23]', async (_, meta) => {
    toolRuns(elicitName);
    const { url } = await start();
    const { status, error } = await send(url, modernCall('run_test', {}, meta));
    expect(status).toBe(400);
    expect(error).toEqual({
      code: -32_021,
      message: 'The user cannot be asked: it takes a client that shows forms.',
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
  });

  test('does not affect a tool that works without the answer', async () => {
    toolRuns((context) => context.elicit('Name?', 'text').then(JSON.stringify, () => 'unasked'));
    const { url } = await start();
    const { result } = await send(url, modernCall('run_test', {}, metaOf()));
    expect(result).toMatchObject(textResult('unasked'));
  });
});

test('prompts and resources cannot ask questions, and ignore answers', async () => {
  const { url } = await start();
  const params = { uri: 'note://notes/a', requestState: 'x', inputResponses: {} };
  const { result } = await send(url, modern('resources/read', params));
  expect(result).toMatchObject({ resultType: 'complete' });
});
