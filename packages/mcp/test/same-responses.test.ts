/**
 * Sends the same messages over each transport and compares the responses. The known differences are listed at the
 * end. Over 300 lines, because all tests share the connections that are opened here.
 */
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type JSONRPCMessage,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRuntime } from '../src/adapters/runtime.ts';
import { createLog } from '../src/core/context/log.ts';
import { runStdio } from '../src/transports/stdio/stdio.ts';
import { clientTransport } from './doubles/client-transport.ts';
import { startServer } from './doubles/http-server.ts';
import { initializing } from './doubles/messages.ts';
import { createProbeService, type ProbeState } from './probes/probe-service.ts';
import { transports, type TransportName } from './programs/served.ts';

interface Line {
  /** The SDK's client-side transport. */
  readonly transport: Transport;
  readonly state: ProbeState;
}

/** Starts a separate server. Stopped after the test. */
async function open(name: TransportName): Promise<Line> {
  if (name !== 'stdio') {
    const sessions = { idleSeconds: 60, maxSessions: 10 };
    const { url, state } = await startServer(name === 'HTTP with sessions' ? { sessions } : {});
    return { transport: clientTransport(url), state };
  }
  const runtime = await createRuntime({
    service: createProbeService(),
    version: '1.2.3',
    log: createLog({ level: 'silent' }),
  });
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const ended = runStdio({ runtime, stdin, stdout, drainMs: 200 });
  onTestFinished(async () => {
    stdin.end();
    await ended;
    await runtime.stop();
  });
  // The server transport also works for a client, with input and output swapped.
  return {
    transport: new StdioServerTransport(stdout, stdin),
    state: runtime.state as ProbeState,
  };
}

type Message = Readonly<Record<string, unknown>>;

/** Sends one request. Returns all messages since the last response, with the response last. */
type Send = (message: Message) => Promise<Message[]>;

async function talkOver({ transport }: Pick<Line, 'transport'>): Promise<Send> {
  const received: Message[] = [];
  let onResponse: () => void = () => undefined;
  transport.onmessage = (message: JSONRPCMessage) => {
    received.push(message);
    if (!('method' in message)) onResponse();
  };
  onTestFinished(() => transport.close());
  await transport.start();
  return async (message) => {
    const responded = new Promise<void>((resolve) => (onResponse = resolve));
    await transport.send({ jsonrpc: '2.0', id: 'one', ...message } as JSONRPCMessage);
    await responded;
    return received.splice(0);
  };
}

const hello = (changes: object = {}) => ({
  method: 'initialize',
  params: { ...initializing.params, ...changes },
});
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' } as const;

/** Connects a client over each transport and completes the handshake. */
async function greetOnEach(): Promise<(Line & { readonly send: Send })[]> {
  return Promise.all(
    transports.map(async (name) => {
      const line = await open(name);
      const send = await talkOver(line);
      await send(hello());
      line.transport.setProtocolVersion?.(LATEST_PROTOCOL_VERSION);
      await line.transport.send(initialized);
      return { ...line, send };
    }),
  );
}

/** @returns The messages, which must be the same over each transport except for the call's id. */
async function same(senders: readonly Send[], message: Message): Promise<Message[]> {
  const responses = await Promise.all(senders.map((send) => send(message)));
  const [first = [], ...others] = responses.map((response) => response.map(withoutCallId));
  for (const other of others) expect(other, JSON.stringify(message)).toEqual(first);
  return first;
}

function withoutCallId(message: Message): Message {
  const result = message['result'] as { _meta?: { callId?: string } } | undefined;
  if (result?._meta?.callId === undefined) return message;
  return { ...message, result: { ...result, _meta: { callId: typeof result._meta.callId } } };
}

const request = (method: string, given?: unknown) => ({
  method,
  ...(given !== undefined && { params: given }),
});
const call = (tool: string, args: unknown = {}, more: object = {}) =>
  request('tools/call', { name: `probe_${tool}`, arguments: args, ...more });
const read = (name: string) => request('resources/read', { uri: `note://notes/${name}` });
const greet = (args: object) => request('prompts/get', { name: 'greet', arguments: args });
const complete = (ref: object, name: string) =>
  request('completion/complete', { ref, argument: { name, value: '' } });
const note = { type: 'ref/resource', uri: 'note://notes/{name}' };

/** The expected result or error code for each message, and the number of notifications before it. */
const rows: readonly (readonly [expected: 'result' | number, Message, notifications?: number])[] = [
  ['result', request('ping')],
  ['result', request('ping', { a: 1, _meta: { progressToken: 'x', b: 1 } })],
  ['result', { ...request('ping'), id: -1, extra: true }],
  ['result', request('tools/list')],
  ['result', request('tools/list', { a: 1 })],
  [-32_602, request('tools/list', { cursor: 'a' })],
  ['result', call('echo_text', { text: 'hi' })],
  ['result', call('echo_text', { text: 'hi', response_format: 'json' })],
  ['result', call('echo_text', { text: 'hi' }, { task: { ttl: 1_000 }, a: 1 })],
  ['result', call('echo_text', { text: 7, a: 1 })],
  ['result', call('echo_text', null)],
  ['result', call('echo_text', [])],
  ['result', call('show_context', undefined)],
  ...['tool', 'status', 'missing', 'timeout', 'unexpected'].flatMap((text) => [
    ['result', call('throw_error', { text })] as const,
    [text === 'missing' || text === 'tool' ? -32_002 : -32_603, read(text)] as const,
  ]),
  ['result', call('show_media')],
  ['result', request('resources/read', { uri: 'picture://pictures/a' })],
  ['result', request('prompts/get', { name: 'discuss_note', arguments: { name: 'a' } })],
  [-32_603, request('prompts/get', { name: 'discuss_note', arguments: { name: 'status' } })],
  ['result', call('report_steps'), 0],
  ['result', call('report_steps', {}, { _meta: { progressToken: 'mine' } }), 2],
  ['result', call('report_steps', {}, { _meta: { progressToken: 0 } }), 2],
  ['result', call('write_logs'), 2],
  ['result', call('read_note', { text: 'note://notes/a' })],
  ['result', call('read_note', { text: 'note://elsewhere' })],
  [-32_602, call('unknown')],
  [-32_602, request('tools/call')],
  [-32_602, request('tools/call', { name: 1 })],
  ['result', request('resources/list')],
  ['result', request('resources/list', { cursor: '100' })],
  [-32_602, request('resources/list', { cursor: 1 })],
  ['result', request('resources/templates/list')],
  [-32_602, request('resources/templates/list', { cursor: 'a' })],
  ['result', read('a')],
  [-32_002, read('a/b')],
  [-32_602, request('resources/read')],
  [-32_601, request('resources/subscribe', { uri: 'note://notes/a' })],
  ['result', request('prompts/list')],
  [-32_602, request('prompts/list', { cursor: 'a' })],
  ['result', greet({ who: 'Ada' })],
  [-32_602, greet({})],
  [-32_602, greet({ who: 'Ada', a: 1 })],
  [-32_603, greet({ who: 'nobody' })],
  [-32_602, request('prompts/get', { name: 'unknown' })],
  ['result', complete({ type: 'ref/prompt', name: 'greet' }, 'who')],
  ['result', complete(note, 'name')],
  ['result', complete(note, 'unknown')],
  [-32_602, complete({ ...note, uri: 'note://unknown' }, 'name')],
  [-32_602, complete({ type: 'ref/unknown' }, 'name')],
  [-32_602, request('completion/complete')],
  ['result', request('logging/setLevel', { level: 'info' })],
  [-32_602, request('logging/setLevel', { level: 'loud' })],
  ...['tasks/list', 'tasks/get', 'roots/list', 'sampling/createMessage', 'server/discover'].map(
    (method) => [-32_601, request(method, { taskId: 'a' })] as const,
  ),
  // With an id they are requests.
  ...['notifications/initialized', 'notifications/cancelled', 'constructor', ''].map(
    (method) => [-32_601, request(method)] as const,
  ),
];

test('[M28 M29] every request gets the same response over each transport', async () => {
  const senders = (await greetOnEach()).map(({ send }) => send);
  for (const [expected, message, sent = 0] of rows) {
    const received = await same(senders, message);
    const response = received.at(-1) as { id: unknown; error?: { code: number } };
    expect(
      [received.length - 1, response.id, response.error?.code ?? 'result'],
      JSON.stringify(message),
    ).toEqual([sent, message['id'] ?? 'one', expected]);
  }
});

test('a message that is not a request gets no response, over any transport', async () => {
  const lines = await greetOnEach();
  const senders = lines.map(({ send }) => send);
  const notices: Message[] = [
    { method: 'notifications/initialized' },
    { method: 'notifications/cancelled', params: { requestId: 'one' } },
    { method: 'notifications/cancelled' },
    { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
    { method: 'notifications/roots/list_changed' },
    { method: 'notifications/unknown', params: { a: 1 } },
    call('echo_text', { text: 'hi' }),
    { id: 7, result: {} },
    { id: 7, error: { code: 1, message: 'x' } },
  ];
  for (const notice of notices) {
    for (const { transport } of lines) {
      await transport.send({ jsonrpc: '2.0', ...notice } as JSONRPCMessage);
    }
    expect(await same(senders, request('ping'))).toEqual([
      { jsonrpc: '2.0', id: 'one', result: {} },
    ]);
  }
});

describe('`initialize`', () => {
  const sendersOfNew = () =>
    Promise.all(transports.map(async (name) => talkOver(await open(name))));

  test.for(SUPPORTED_PROTOCOL_VERSIONS)(
    'with revision %s agrees on it over each transport, and the next request is answered',
    async (protocolVersion) => {
      const lines = await Promise.all(transports.map(open));
      const senders = await Promise.all(lines.map(talkOver));
      const [{ result } = {}] = await same(senders, hello({ protocolVersion }));
      expect(result).toMatchObject({ protocolVersion });
      for (const { transport } of lines) {
        transport.setProtocolVersion?.(protocolVersion);
        await transport.send(initialized);
      }
      const [response] = await same(senders, call('echo_text', { text: 'hi' }));
      expect(response).toMatchObject({ result: { structuredContent: { text: 'hi' } } });
    },
  );

  test.for(['1999-01-01', '2026-07-28', ''])(
    'with revision "%s", which is not supported, offers the newest over each transport',
    async (protocolVersion) => {
      const [response] = await same(await sendersOfNew(), hello({ protocolVersion }));
      expect(response).toMatchObject({ result: { protocolVersion: LATEST_PROTOCOL_VERSION } });
    },
  );

  test.for([
    { capabilities: { elicitation: {}, roots: { listChanged: true }, unknown: { a: 1 } } },
    { clientInfo: { name: 'x', version: '1', title: 'X', unknown: 1 } },
    { unknown: 1, _meta: { progressToken: 1, unknown: 1 } },
  ])('with %j gets the same response over each transport', async (changes) => {
    const [response] = await same(await sendersOfNew(), hello(changes));
    expect(response).toHaveProperty('result.serverInfo');
  });

  test.for<[field: string, changes: object]>([
    ['protocolVersion', { protocolVersion: 7 }],
    ['protocolVersion', { protocolVersion: undefined }],
    ['capabilities', { capabilities: undefined }],
    ['capabilities.elicitation', { capabilities: { elicitation: 1 } }],
    ['clientInfo', { clientInfo: undefined }],
    ['clientInfo.version', { clientInfo: { name: 'x' } }],
  ])('without a valid %s gets the same error over each transport', async ([field, changes]) => {
    const message = expect.stringMatching(`^Invalid params: ${field}: Invalid input`) as string;
    const error = { code: -32_602, message };
    expect(await same(await sendersOfNew(), hello(changes))).toEqual([
      { jsonrpc: '2.0', id: 'one', error },
    ]);
  });
});

test.for(SUPPORTED_PROTOCOL_VERSIONS)(
  'a client of revision %s gets resource links if the revision has them',
  async (protocolVersion) => {
    const link = { type: 'resource_link', uri: 'note://notes/a', name: 'a' };
    for (const name of transports) {
      const line = await open(name);
      const send = await talkOver(line);
      await send(hello({ protocolVersion }));
      line.transport.setProtocolVersion?.(protocolVersion);
      await line.transport.send(initialized);
      expect(await send(call('link_note'))).toMatchObject([
        {
          result: {
            content: [
              { type: 'text', text: 'a' },
              ...(protocolVersion >= '2025-06-18' ? [link] : []),
            ],
          },
        },
      ]);
    }
  },
);

test('a file passes through a tool unchanged, including its last line break [M09]', async () => {
  const file = '\t  leading blanks\r\n\n  two spaces at the end  \n\n\ttabs\t\n';
  for (const { send } of await greetOnEach()) {
    expect(await send(call('keep_file', { file }))).toMatchObject([
      { result: { structuredContent: { text: file } } },
    ]);
    const [{ result }] = (await send(call('keep_file', { file, response_format: 'json' }))) as [
      { result: { content: [{ text: string }] } },
    ];
    expect(JSON.parse(result.content[0].text)).toEqual({ text: file });
  }
});

describe('differences', () => {
  test('if a user cannot be asked, the error names the requirements, which without sessions include them', async () => {
    const senders = (await greetOnEach()).map(({ send }) => send);
    for (const message of [call('ask_user', { text: 'text' }), call('connect_account')]) {
      const responses = await Promise.all(senders.map((send) => send(message)));
      const texts = responses.map((response) => JSON.stringify(response));
      for (const text of texts) expect(text).toContain('asked');
      expect(texts.map((text) => text.includes('MCP_SESSIONS=1'))).toEqual(
        transports.map((name) => name === 'stateless HTTP'),
      );
    }
  });

  test('a session accepts one `initialize`; without sessions, another one has no effect and is answered', async () => {
    const [stdio, stateless, sessions] = await greetOnEach();
    const again = await same(
      [stdio?.send, stateless?.send].filter((send) => send !== undefined),
      hello(),
    );
    expect(again).toMatchObject([{ id: 'one', result: { serverInfo: { name: 'probe_mcp' } } }]);
    await expect(sessions?.send(hello())).rejects.toThrow('Server already initialized');
  });

  test.for(transports)(
    'over %s a cancellation aborts its call: without sessions, when the client disconnects',
    async (name) => {
      const { transport, state } = await open(name);
      const client = new Client({ name: 'x', version: '0' });
      await client.connect(transport);
      const cancel = new AbortController();
      const waiting = client.callTool({ name: 'probe_wait_long', arguments: {} }, undefined, {
        signal: cancel.signal,
      });
      await expect.poll(() => state.events).toEqual(['waiting']);
      cancel.abort();
      await expect(waiting).rejects.toThrow();
      if (name === 'stateless HTTP') await client.close();
      await expect.poll(() => state.events).toEqual(['waiting', 'aborted']);
      await client.close();
    },
  );
});
