/** Elicitation in the modern era over HTTP: questions, request state and rejections. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { connectClient, textOf } from '../../../test/doubles/connected-client.ts';
import { post, startServer, type ServerChanges } from '../../../test/doubles/http-server.ts';
import { metaOf, modern, modernCall } from '../../../test/doubles/modern-messages.ts';
import { toolContext } from '../../../test/doubles/tool-context-double.ts';
import { json, startUpstreamDouble } from '../../../test/doubles/upstream-double.ts';
import { createProbeService, type ProbeState } from '../../../test/probes/probe-service.ts';
import type { ToolContext } from '../../core/context/tool-context.ts';
import { defineTool } from '../../core/definition/define-tool.ts';
import { responseFormat } from '../../core/result/format.ts';
import { line } from '../../core/result/markdown.ts';
import { createUpstream, type RequestOptions } from '../../core/upstream/client.ts';
import { path } from '../../core/upstream/path.ts';

type Fields = Readonly<Record<string, unknown>>;
type Run = (context: ToolContext<ProbeState>) => Promise<string>;

const forms = metaOf({ elicitation: {} });

/** The tool's behaviour, set by each test. */
let run: Run;
beforeEach(() => {
  run = () => Promise.resolve('nothing');
});

function tool(name: string) {
  return defineTool({
    name: `probe_${name}`,
    annotations: {
      title: 'Runs',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    },
    documentation: {
      purpose: 'Runs what a test says.',
      whenToUse: ['In tests.'],
      whenNotToUse: ['Elsewhere.'],
      returns: 'What it gave.',
      errors: [],
      examples: ['{}'],
    },
    input: z.strictObject({
      a: z.string().trim().max(10).describe('Any.').optional(),
      b: z.string().trim().max(10).describe('Any.').optional(),
      response_format: responseFormat,
    }),
    output: z.strictObject({ said: z.string() }),
    handler: async (_args, context: ToolContext<ProbeState>) => ({ said: await run(context) }),
    markdown: ({ said }) => line`${said}`,
  });
}

function service() {
  const probe = createProbeService();
  return { ...probe, tools: [...probe.tools, tool('run_test'), tool('run_other')] };
}

const start = (changes: ServerChanges = {}) => startServer({ service: service(), ...changes });

interface Asked {
  readonly inputRequests: Readonly<Record<string, { method: string; params: Fields }>>;
  readonly requestState: string;
}

async function send(
  url: string,
  { message, headers }: ReturnType<typeof modern>,
  more: Record<string, string> = {},
) {
  const { status, messages } = await post(url, message, { ...headers, ...more });
  const { result, error } = (messages.at(-1) ?? {}) as { result?: Fields; error?: Fields };
  return { status, result, error, asked: result as unknown as Asked };
}

const call = (url: string, more: Fields = {}, args: Fields = {}, headers = {}) =>
  send(url, modernCall('run_test', args, forms, more), headers);

const accept = (value: unknown) => ({ action: 'accept', content: { value } });

/** Repeats the call with the answer to each question. */
function answering({ inputRequests, requestState }: Asked, response: unknown): Fields {
  const inputResponses = Object.fromEntries(
    Object.keys(inputRequests).map((place) => [place, response]),
  );
  return { inputResponses, requestState };
}

const said = (text: string) => ({ resultType: 'complete', structuredContent: { said: text } });

const askName: Run = async (context) => JSON.stringify(await context.elicit('Your name?', 'text'));

test('a question is a result, and its answer completes the call [M23]', async () => {
  run = askName;
  const logged = vi.fn();
  const { url } = await start({ logged });
  const { status, result, asked } = await call(url);
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
  const { result: last } = await call(url, answering(asked, accept(' Ada ')));
  expect(last).toMatchObject(said('{"action":"accept","value":"Ada"}'));
});

test.each(['decline', 'cancel'])(
  'a user who chose to %s does not cause an error [M23]',
  async (action) => {
    run = askName;
    const { url } = await start();
    const { asked } = await call(url);
    const { result } = await call(url, answering(asked, { action }));
    expect(result).toMatchObject(said(JSON.stringify({ action })));
  },
);

test('the state is opaque to the client', async () => {
  run = async (context) => {
    await context.elicit('A secret question?', 'text');
    return JSON.stringify(await context.elicit('Another?', 'text'));
  };
  const { url } = await start();
  const first = await call(url);
  const { asked } = await call(url, answering(first.asked, accept('a secret answer')));
  const bytes = Buffer.from(asked.requestState.slice(3), 'base64url').toString('latin1');
  expect(bytes).not.toMatch(/secret|question|answer|local|run_test/);
});

describe('several questions', () => {
  test('in sequence: the handler starts again, and each question is asked once [M23]', async () => {
    const runs: string[] = [];
    run = async (context) => {
      runs.push('begun');
      const first = await context.elicit('First?', 'number');
      runs.push(`first ${JSON.stringify(first)}`);
      const second = await context.elicit('Second?', 'boolean');
      return JSON.stringify([first, second]);
    };
    const { url } = await start();
    const one = await call(url);
    const two = await call(url, answering(one.asked, accept(1)));
    expect(Object.entries(two.asked.inputRequests)).toMatchObject([
      ['question-2', { params: { message: 'Second?' } }],
    ]);
    const { result } = await call(url, answering(two.asked, accept(true)));
    const both = '[{"action":"accept","value":1},{"action":"accept","value":true}]';
    expect(result).toMatchObject(said(both));
    expect(runs.filter((one) => one === 'begun')).toHaveLength(3);
  });

  test('in parallel: all are asked together, and only the unanswered ones are asked again', async () => {
    run = async (context) =>
      JSON.stringify(
        await Promise.all(['A?', 'B?'].map((prompt) => context.elicit(prompt, 'text'))),
      );
    const { url } = await start();
    const { asked } = await call(url);
    expect(Object.keys(asked.inputRequests)).toEqual(['question-1', 'question-2']);
    const inputResponses = { 'question-2': accept('b'), 'question-9': accept('z') };
    const again = await call(url, { ...asked, inputResponses });
    expect(Object.keys(again.asked.inputRequests)).toEqual(['question-1']);
    const { result } = await call(url, answering(again.asked, accept('a')));
    expect(result).toMatchObject(
      said('[{"action":"accept","value":"a"},{"action":"accept","value":"b"}]'),
    );
  });

  test('an answer is valid only for its own question: a changed question is asked again', async () => {
    let project = 'Atlas';
    run = async (context) =>
      JSON.stringify(await context.elicit(`Delete ${project} for good?`, 'boolean'));
    const { url } = await start();
    const { asked } = await call(url);
    project = 'Beacon';
    const again = await call(url, answering(asked, accept(true)));
    expect(again.asked.inputRequests['question-1']?.params).toMatchObject({
      message: 'Delete Beacon for good?',
    });
    const { result } = await call(url, answering(again.asked, accept(false)));
    expect(result).toMatchObject(said('{"action":"accept","value":false}'));
  });
});

test('an answer of another type is an error of the tool, as in the older era [M23]', async () => {
  run = askName;
  const { url } = await start();
  const { asked } = await call(url);
  const { result } = await call(url, answering(asked, accept(7)));
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
    run = askName;
  });

  test('if any byte was altered, or if it was made up', async () => {
    const { url } = await start();
    const { asked } = await call(url);
    const bytes = Buffer.from(asked.requestState.slice(3), 'base64url');
    const altered = [0, 11, 12, 27, 28, bytes.length - 1].map((index) => {
      const copy = Buffer.from(bytes);
      copy[index] = (copy[index] ?? 0) ^ 1;
      return `v1.${copy.toString('base64url')}`;
    });
    const made = ['', 'v1.', 'v2.x', 'x', 7, null, {}, asked.requestState.slice(3)];
    for (const requestState of [...altered, ...made]) {
      const { status, error } = await call(url, { ...answering(asked, accept('x')), requestState });
      expect({ status, error }, JSON.stringify(requestState)).toEqual({
        status: 200,
        error: foreign,
      });
    }
    // The rejected attempts did not consume the valid state.
    const { result } = await call(url, answering(asked, accept('x')));
    expect(result).toMatchObject({ resultType: 'complete' });
  });

  test('for another tool, other arguments, or another caller', async () => {
    const { url } = await start({
      authentication: { kind: 'bearer', token: 'the-one-token-of-this-test' },
    });
    const authorization = { authorization: 'Bearer the-one-token-of-this-test' };
    const { asked } = await call(url, {}, { a: 'x', b: 'y' }, authorization);
    const again = answering(asked, accept('x'));
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
    const { error } = await call(open.url, answering(theirs.asked, accept('x')));
    expect(error).toEqual(foreign);
    // The order of fields does not matter.
    const { result } = await call(url, again, { b: 'y', a: 'x' }, authorization);
    expect(result).toMatchObject({ resultType: 'complete' });
  });

  test('after its first use', async () => {
    const { url } = await start();
    const { asked } = await call(url);
    const again = answering(asked, accept('x'));
    const [first, second] = await Promise.all([call(url, again), call(url, again)]);
    expect([first.error, second.error].filter(Boolean)).toEqual([refusal('was used before')]);
  });

  test('after the user’s time to answer', async () => {
    const { url } = await start({ limits: { elicitationMs: 60_000 } });
    const { asked } = await call(url);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_001 });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    expect((await call(url, answering(asked, accept('x')))).error).toEqual(refusal('has expired'));
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
      const { asked } = await call(from);
      const { error, result } = await call(to, answering(asked, accept('x')));
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
  run = askName;
  const { url } = await start();
  const { asked } = await call(url);
  const { error } = await call(url, { ...asked, inputResponses });
  expect(error).toEqual({ code: -32_602, message: `Invalid params: ${field}` });
  const { result } = await call(url, answering(asked, { action: 'decline' }));
  expect(result).toMatchObject(said('{"action":"decline"}'));
});

test('answers without a state have no effect', async () => {
  run = askName;
  const { url } = await start();
  const { result } = await call(url, { inputResponses: { 'question-1': accept('x') } });
  expect(result).toMatchObject({ resultType: 'input_required' });
});

describe('a client that does not support elicitation', () => {
  test.each([
    ['nothing', metaOf()],
    ['pages alone', metaOf({ elicitation: { url: {} } })],
  ])('and declares %s is told which capability is required [M23]', async (_, meta) => {
    run = askName;
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
    run = (context) => context.elicit('Name?', 'text').then(JSON.stringify, () => 'unasked');
    const { url } = await start();
    const { result } = await send(url, modernCall('run_test', {}, metaOf()));
    expect(result).toMatchObject(said('unasked'));
  });
});

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
      run = async (context) => {
        await write(context, { method });
        return askName(context);
      };
      const { url } = await start();
      const { result } = await call(url);
      expect(result).toMatchObject({ resultType: 'complete', isError: true });
      expect(textOf(result)).toMatch(bare);
      expect(double.requests).toHaveLength(1);
    },
  );

  test('the same applies in the older era and in the tool’s test double [M23]', async () => {
    const { write } = await startWriting();
    const writeThenAsk: Run = async (context) => {
      await write(context);
      return askName(context);
    };
    await expect(writeThenAsk(toolContext<ProbeState>())).rejects.toThrow(
      /without an idempotency key/,
    );
    run = writeThenAsk;
    const { client } = await connectClient({
      service: service(),
      client: { capabilities: { elicitation: {} } },
    });
    expect(textOf(await client.callTool({ name: 'probe_run_test', arguments: {} }))).toMatch(bare);
  });

  test('reads before a question and writes after it are allowed', async () => {
    const { double, write } = await startWriting();
    run = async (context) => {
      await write(context, { method: 'GET', body: undefined });
      const answer = await askName(context);
      await write(context);
      return answer;
    };
    const { url } = await start();
    const { asked } = await call(url);
    const { result } = await call(url, answering(asked, accept('x')));
    expect(result).toMatchObject({ resultType: 'complete' });
    expect(double.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST']);
  });

  test('with the call’s own key, a write has the same key in each run and a new one in the next call', async () => {
    const { double, write } = await startWriting();
    run = async (context) => {
      await write(context, { idempotencyKey: context.idempotencyKey });
      await write(context, { idempotencyKey: `${context.idempotencyKey}-2` });
      return askName(context);
    };
    const { url } = await start();
    for (let times = 0; times < 2; times += 1) {
      const { asked } = await call(url);
      const { result } = await call(url, answering(asked, accept('x')));
      expect(result).toMatchObject({ resultType: 'complete' });
    }
    const keys = double.requests.map(({ headers }) => headers['idempotency-key']);
    const [one, two, again, andTwo, other] = keys;
    expect([again, andTwo, two]).toEqual([one, two, `${String(one)}-2`]);
    expect(other).not.toBe(one);
    expect(keys).toHaveLength(8);
  });

  test('a write that fails in a later run may have been made in the earlier one, and the text says so [M32]', async () => {
    const { double, write } = await startWriting();
    double.reply(json({}), json({}, 500));
    run = async (context) => {
      await write(context, { idempotencyKey: context.idempotencyKey });
      return askName(context);
    };
    const { url } = await start();
    const { asked } = await call(url);
    const { result } = await call(url, answering(asked, accept('x')));
    expect(textOf(result)).toBe(
      'Error: API request failed with status 500\nA write of this call may have succeeded: look at what it changed before you call again.',
    );
  });

  test('a read by POST may precede a question', async () => {
    const { write } = await startWriting();
    run = async (context) => {
      await write(context, { isRead: true });
      return askName(context);
    };
    const { url } = await start();
    const { result } = await call(url);
    expect(result).toMatchObject({ resultType: 'input_required' });
  });

  test('with a key that changes between runs, the second write is rejected with the reason', async () => {
    const { double, write } = await startWriting();
    run = async (context) => {
      await write(context, { idempotencyKey: randomUUID() });
      return askName(context);
    };
    const { url } = await start();
    const { asked } = await call(url);
    const { result } = await call(url, answering(asked, accept('x')));
    expect(textOf(result)).toMatch(/^Error: This tool would write again what it wrote before/);
    expect(double.requests).toHaveLength(1);
  });

  test('a write while the page of a secret opens is reported too', async () => {
    const { write } = await startWriting();
    run = async (context) => {
      await Promise.all([context.elicit('Your key', 'password'), write(context)]);
      return 'asked';
    };
    const { url } = await start({ sessions: { idleSeconds: 60, maxSessions: 10 } });
    const pages = metaOf({ elicitation: { url: {} } });
    const { result } = await send(url, modernCall('run_test', {}, pages));
    expect(result).toMatchObject({ resultType: 'complete', isError: true });
    expect(textOf(result)).toMatch(bare);
  });

  test('if a handler catches the question, its result is dropped and its writes are rejected', async () => {
    const { double, write } = await startWriting();
    run = async (context) => {
      const answer = await askName(context).catch(() => 'caught');
      await write(context).catch(() => undefined);
      return answer;
    };
    const { url } = await start();
    const { result, asked } = await call(url);
    expect(result).toMatchObject({ resultType: 'input_required' });
    expect(double.requests).toHaveLength(0);
    await call(url, answering(asked, accept('x')));
    expect(double.requests).toHaveLength(1);
  });
});

describe('a secret', () => {
  const pages = metaOf({ elicitation: { url: {} } });
  const connect = (url: string, more: Fields = {}, meta = pages) =>
    send(url, modernCall('connect_account', {}, meta, more));
  const withPages = { sessions: { idleSeconds: 60, maxSessions: 10 } };

  const pageOf = ({ inputRequests }: Asked) => {
    const params: Fields = Object.values(inputRequests)[0]?.params ?? {};
    expect(params).toEqual({ mode: 'url', message: 'Your key', url: params['url'] });
    return String(params['url']);
  };
  const type = (page: string, secret: string) =>
    fetch(page, { method: 'POST', body: new URLSearchParams({ secret }) });

  test('is entered on a page of this server, and passed to the repeated call [M30]', async () => {
    const { url, state } = await start(withPages);
    const { asked } = await connect(url);
    const answered = connect(url, answering(asked, { action: 'accept' }));
    expect((await type(pageOf(asked), 'the-secret')).status).toBe(200);
    expect((await answered).result).toMatchObject(said('{"action":"accept","value":{}}'));
    expect(state.secrets.get('local')).toBe('the-secret');
    const sealed = Buffer.from(asked.requestState.slice(3), 'base64url').toString('latin1');
    expect(sealed).not.toContain('the-secret');
  });

  test('that the user declined closes its page [M30]', async () => {
    const { url, state } = await start(withPages);
    const { asked } = await connect(url);
    const { result } = await connect(url, answering(asked, { action: 'decline' }));
    expect(result).toMatchObject(said('{"action":"decline"}'));
    expect((await type(pageOf(asked), 'the-secret')).status).toBe(404);
    expect(state.secrets.size).toBe(0);
  });

  test('whose page is in another process is asked for again [M30]', async () => {
    const shared = { ...withPages, stateKeys: ['k'.repeat(32)] };
    const [here, there] = await Promise.all([start(shared), start(shared)]);
    const { asked } = await connect(here.url);
    const { result } = await connect(there.url, answering(asked, { action: 'accept' }));
    expect(textOf(result)).toBe(
      'Error: No secret was given in time. Call this tool again for a new page.',
    );
  });

  test('requires a client that opens pages, and a server with a single process or sticky routing [M30]', async () => {
    const { url } = await start(withPages);
    const { status, error } = await connect(url, {}, forms);
    expect(status).toBe(400);
    expect(error).toMatchObject({
      code: -32_021,
      data: { requiredCapabilities: { elicitation: { url: {} } } },
    });
    const stateless = await start();
    const { result } = await connect(stateless.url);
    expect(textOf(result)).toContain('MCP_SESSIONS=1');
  });
});

test('prompts and resources cannot ask questions, and ignore answers', async () => {
  const { url } = await start();
  const params = { uri: 'note://notes/a', requestState: 'x', inputResponses: {} };
  const { result } = await send(url, modern('resources/read', params));
  expect(result).toMatchObject({ resultType: 'complete' });
});
