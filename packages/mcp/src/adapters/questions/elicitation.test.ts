import {
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  type ElicitRequest,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  connectClient,
  type ConnectOptions,
  textOf,
} from '../../../test/doubles/connected-client.ts';
import { plantedSecret } from '../../../test/probes/probe-service.ts';
import type { GivenSecret } from '../../core/context/tool-context.ts';
import type { SecretPages, SecretRequest } from './secret-pages.ts';

/** Connects a client whose user gives the specified answer. */
async function connectUser(
  reply: (request: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>,
  options: ConnectOptions = {},
) {
  const connected = await connectClient({
    client: { capabilities: { elicitation: { form: {}, url: {} } } },
    ...options,
  });
  const requested: ElicitRequest['params'][] = [];
  connected.client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    requested.push(params);
    return reply(params);
  });
  const elicit = async (type: string) =>
    textOf(await connected.client.callTool({ name: 'probe_ask_user', arguments: { text: type } }));
  return { ...connected, requested, elicit };
}

test.each([
  ['text', 'tea', '"tea"'],
  ['number', 4.5, '4.5'],
  ['boolean', false, 'false'],
  ['email', 'ada@example.com', '"ada@example.com"'],
  ['date', '2026-11-21', '"2026-11-21"'],
  ['choice', 'green', '"green"'],
])('[M23] a form asks for a %s, and the answer has that type', async (type, given, expected) => {
  const { requested, elicit } = await connectUser((params) => {
    const { properties } = (params as { requestedSchema: { properties: object } }).requestedSchema;
    const [field = ''] = Object.keys(properties);
    return { action: 'accept', content: { [field]: given } };
  });
  expect(await elicit(type)).toBe(`{"action":"accept","value":${expected}}`);
  expect(requested[0]).toMatchObject({ mode: 'form', message: 'What shall it be?' });
});

test.each(['decline', 'cancel'] as const)(
  '[M23] a tool is informed that its user chose to %s',
  async (action) => {
    const { elicit } = await connectUser(() => ({ action }));
    expect(await elicit('text')).toBe(`{"action":"${action}"}`);
  },
);

test('[M23] an answer of another type is rejected', async () => {
  const { elicit } = await connectUser(() => ({ action: 'accept', content: { value: 'blue' } }));
  expect(await elicit('choice')).toBe(
    'Error: The answer was not one of the choices. Please ask again.',
  );
});

test('[M23] if the client fails or the user does not answer, the call ends with advice', async () => {
  const failing = await connectUser(() => Promise.reject(new Error(plantedSecret)));
  expect(await failing.elicit('text')).toBe('Error: The client could not ask the user.');
  const silent = await connectUser(() => new Promise<never>(() => undefined), {
    client: { capabilities: { elicitation: {} } },
    limits: { elicitationMs: 20 },
  });
  expect(await silent.elicit('text')).toBe(
    'Error: The user did not answer in time. Call this tool again.',
  );
});

test('[M21 M23] while the user is asked, progress keeps the client from timing out', async () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  let reply!: (given: ElicitResult) => void;
  const { client, requested } = await connectUser(
    () => new Promise((resolve) => (reply = resolve)),
  );
  const heard: unknown[] = [];
  const call = client.callTool({ name: 'probe_ask_user', arguments: { text: 'text' } }, undefined, {
    onprogress: ({ message }) => heard.push(message),
    resetTimeoutOnProgress: true,
  });
  await expect.poll(() => requested).toHaveLength(1);
  // The SDK's client times out after 60 seconds without progress.
  await vi.advanceTimersByTimeAsync(200_000);
  reply({ action: 'decline' });
  expect(textOf(await call)).toBe('{"action":"decline"}');
  expect(new Set(heard)).toEqual(new Set(['Waiting for the user']));
  const count = heard.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(heard).toHaveLength(count);
});

test.each([
  ['session', 'a client that shows forms'],
  [
    'stateless',
    'a client that shows forms, and speaks MCP 2026-07-28 or is given a session (MCP_SESSIONS=1)',
  ],
] as const)(
  '[M23] over a %s connection without forms, the error states what is required: %s',
  async (mode, needed) => {
    const { client } = await connectClient({ connection: { mode } });
    const result = await client.callTool({ name: 'probe_ask_user', arguments: { text: 'text' } });
    expect(textOf(result)).toBe(
      `Error: The user cannot be asked over this connection. Tell them: it takes ${needed}.`,
    );
  },
);

/** A single page that the test fills in. */
function pagesOf(onOpen: (request: SecretRequest, settle: (given?: GivenSecret) => void) => void) {
  const closed: string[] = [];
  const secretPages: SecretPages = {
    find: () => undefined,
    open(request) {
      let settle!: (given?: GivenSecret) => void;
      const done = new Promise<GivenSecret | undefined>((resolve) => (settle = resolve));
      onOpen(request, settle);
      return Promise.resolve({
        id: 'page-1',
        url: 'http://127.0.0.1:9/connect/key',
        done,
        close() {
          closed.push('page-1');
          settle();
        },
      });
    },
  };
  return { secretPages, closed };
}

function connectPages(
  { secretPages }: ReturnType<typeof pagesOf>,
  reply: () => ElicitResult,
  mode: 'session' | 'stateless' = 'session',
) {
  const connection = { mode, secretPages, callerOf: () => ({ id: 'ada' }) };
  return connectUser(reply, { connection });
}

test('[M30] a secret is entered on a page, kept for its caller, and never passes through the client', async () => {
  const pages = pagesOf((request, settle) => {
    settle(request.store(plantedSecret));
  });
  const { client, clientEnd, requested, state } = await connectPages(pages, () => ({
    action: 'accept',
  }));
  const wire: unknown[] = [];
  const { onmessage } = clientEnd;
  clientEnd.onmessage = (message, extra) => {
    wire.push(message);
    onmessage?.(message, extra);
  };
  const completed: string[] = [];
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => {
    completed.push(params.elicitationId);
  });
  const result = await client.callTool({ name: 'probe_connect_account', arguments: {} });
  expect(textOf(result)).toBe('{"action":"accept","value":{}}');
  expect(requested).toEqual([
    {
      mode: 'url',
      message: 'Your key',
      elicitationId: 'page-1',
      url: 'http://127.0.0.1:9/connect/key',
    },
  ]);
  expect(completed).toEqual(['page-1']);
  expect(state.secrets.get('ada')).toBe(plantedSecret);
  expect(JSON.stringify(wire)).not.toContain(plantedSecret);
});

test('[M30] a page that is declined or abandoned stores nothing and is closed', async () => {
  const declined = pagesOf(() => undefined);
  const first = await connectPages(declined, () => ({ action: 'decline' }));
  const call = { name: 'probe_connect_account', arguments: {} };
  expect(textOf(await first.client.callTool(call))).toBe('{"action":"decline"}');
  expect(declined.closed).toContain('page-1');

  const left = pagesOf((_, settle) => {
    settle();
  });
  const second = await connectPages(left, () => ({ action: 'accept' }));
  expect(textOf(await second.client.callTool(call))).toMatch(
    /^Error: No secret was given in time\./,
  );
  expect([...first.state.secrets, ...second.state.secrets]).toEqual([]);
});

test('[M30] cancelling a call closes its page', async () => {
  const pages = pagesOf(() => undefined);
  const { client, requested } = await connectPages(pages, () => ({ action: 'accept' }));
  const cancel = new AbortController();
  const call = client.callTool({ name: 'probe_connect_account', arguments: {} }, undefined, {
    signal: cancel.signal,
  });
  await expect.poll(() => requested.length).toBe(1);
  cancel.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(() => pages.closed.length).toBeGreaterThan(0);
});

const pages = pagesOf(() => undefined);
const forEverybody = 'set or replace PROBE_API_TOKEN where the server runs, and start it again';
const all = { form: {}, url: {} };
const subject = { id: '["https://login.test","ada"]', claims: { sub: 'ada' } };

test.each([
  {
    who: 'a client with forms only',
    connection: { mode: 'session', ...pages },
    elicitation: { form: {} },
    remedy: `it takes a client that opens pages (URL mode elicitation); or, for everybody, ${forEverybody}`,
  },
  {
    who: 'a caller without a session',
    connection: { mode: 'stateless' },
    caller: { id: 'bearer' },
    elicitation: all,
    remedy: `it takes a server with sessions (MCP_SESSIONS=1) and a client that opens pages; or, for everybody, ${forEverybody}`,
  },
  {
    who: 'an OAuth subject without a session',
    connection: { mode: 'stateless' },
    elicitation: all,
    remedy: forEverybody,
  },
  {
    who: 'an OAuth subject with a session',
    connection: { mode: 'session' },
    elicitation: all,
    remedy: forEverybody,
  },
] as const)(
  '[M30] $who is not asked for a secret, and gets advice with the variable’s name',
  async ({ connection, caller = subject, elicitation, remedy }) => {
    const { client } = await connectClient({
      client: { capabilities: { elicitation } },
      connection,
      caller,
    });
    client.setRequestHandler(ElicitRequestSchema, () => {
      throw new Error('A secret was asked for');
    });
    const result = await client.callTool({ name: 'probe_connect_account', arguments: {} });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(
      `Error: A secret cannot be asked for safely over this connection. Tell the user: ${remedy}.`,
    );
  },
);
