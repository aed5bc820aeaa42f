/** The operations of the soak test: both eras, calls and questions, and every way in which a call can end early. */
import { randomUUID } from 'node:crypto';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { clientTransport } from '../../test/doubles/client-transport.ts';
import { cancelHalfWay, check, hangUp, resumeDropped } from './raw-client.ts';

const info = { name: 'soak', version: '0' };
const elicitation = { capabilities: { elicitation: { form: {} } } };

type Client = OlderClient | ModernClient;

/** Connects a client of the older era, which sometimes disconnects without ending its session. */
async function withOlder(url: string, use: (client: Client) => Promise<void>): Promise<void> {
  const client = new OlderClient(info, elicitation);
  client.setRequestHandler(ElicitRequestSchema, () => accepted);
  const transport = clientTransport(url);
  await client.connect(transport);
  try {
    await use(client);
    if (Math.random() < 0.7) await transport.terminateSession();
  } finally {
    await client.close();
  }
}

async function withModern(url: string, use: (client: Client) => Promise<void>): Promise<void> {
  const client = new ModernClient(info, {
    ...elicitation,
    versionNegotiation: { mode: { pin: '2026-07-28' } },
  });
  client.setRequestHandler('elicitation/create', () => accepted);
  await client.connect(new ModernHttp(new URL(url)));
  try {
    await use(client);
  } finally {
    await client.close();
  }
}

const accepted = { action: 'accept' as const, content: { value: 'Ada' } };

async function callText(client: Client, name: string, text?: string): Promise<unknown> {
  const given = await client.callTool({
    name: `probe_${name}`,
    arguments: text === undefined ? {} : { text },
  });
  const { text: words } = (given.structuredContent ?? {}) as { text?: unknown };
  return words ?? JSON.stringify(given.content);
}

/** Checks that each response belongs to its call. */
async function echo(client: Client): Promise<void> {
  const texts = Array.from({ length: 5 }, () => randomUUID());
  const responses = await Promise.all(texts.map((text) => callText(client, 'echo_text', text)));
  check(JSON.stringify(responses) === JSON.stringify(texts), texts.join(), responses.join());
}

async function question(client: Client): Promise<void> {
  const response = await callText(client, 'ask_user', 'text');
  check(response === '{"action":"accept","value":"Ada"}', 'The user’s answer', response);
}

async function lists(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  check(tools.length > 20, 'All tools', tools.length);
  const { contents } = await client.readResource({ uri: 'note://notes/a' });
  check(JSON.stringify(contents).includes('The note a.'), 'The note', JSON.stringify(contents));
}

async function faults(client: Client): Promise<void> {
  const response = String(await callText(client, 'throw_error', 'missing'));
  check(response.includes('Resource not found'), 'The error’s text', response);
}

async function cancelled(client: Client): Promise<void> {
  const cancel = new AbortController();
  const params = { name: 'probe_wait_long', arguments: {} };
  const { signal } = cancel;
  const called =
    client instanceof OlderClient
      ? client.callTool(params, undefined, { signal })
      : client.callTool(params, { signal });
  setTimeout(() => {
    cancel.abort();
  }, 50);
  const outcome = await called.then(
    () => 'a result',
    () => 'cancelled',
  );
  check(outcome === 'cancelled', 'The end of a cancelled call', outcome);
}

export interface Targets {
  readonly stateless: string;
  readonly sessions: string;
}

type Deed = (targets: Targets) => Promise<void>;

const modern =
  (use: (client: Client) => Promise<void>): Deed =>
  ({ stateless, sessions }) =>
    withModern(Math.random() < 0.5 ? stateless : sessions, use);
const inSession =
  (use: (client: Client) => Promise<void>): Deed =>
  ({ sessions }) =>
    withOlder(sessions, use);
const alone =
  (use: (client: Client) => Promise<void>): Deed =>
  ({ stateless }) =>
    withOlder(stateless, use);

/** The operations, run in turn. */
export const deeds: readonly (readonly [name: string, deed: Deed])[] = [
  ['calls, older, in a session', inSession(echo)],
  ['calls, 2026-07-28', modern(echo)],
  ['calls, older, without a session', alone(echo)],
  ['a question, older, in a session', inSession(question)],
  ['a question, 2026-07-28', modern(question)],
  ['lists and resources, older', inSession(lists)],
  ['lists and resources, 2026-07-28', modern(lists)],
  ['errors, older', alone(faults)],
  ['errors, 2026-07-28', modern(faults)],
  ['a cancelled call, older', inSession(cancelled)],
  ['a cancelled call, 2026-07-28', modern(cancelled)],
  ['a call cancelled half way', ({ sessions }) => cancelHalfWay(sessions)],
  ['a session left behind', ({ sessions }) => cancelHalfWay(sessions, true)],
  ['a stream dropped and taken up', ({ sessions }) => resumeDropped(sessions)],
  ['a caller who hangs up', ({ stateless }) => hangUp(stateless)],
];
