/**
 * Two processes behind a load balancer without affinity: one asks a question, the other gets the answer (M23, M29).
 */
import { spawn } from 'node:child_process';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { startBalancer } from '../doubles/balancer.ts';
import { post } from '../doubles/http-server.ts';
import { metaOf, modernCall } from '../doubles/modern-messages.ts';
import { hasRedisServer, startRedisServer } from '../doubles/redis-server.ts';
import { listening } from '../programs/served.ts';
import { args, command } from '../programs/started-program.ts';

const sharedKey = { MCP_STATE_KEY: 'a-key-of-both-processes-0123456789abcdef' };

/** Starts two processes that receive alternate requests. */
async function startReplicas(environment: Record<string, string>) {
  const urls = await Promise.all(
    [1, 2].map(() => {
      const child = spawn(command, [...args, '--http'], {
        env: { PATH: process.env['PATH'], MCP_PORT: '0', ...environment },
      });
      onTestFinished(() => {
        child.kill('SIGKILL');
      });
      return listening(child);
    }),
  );
  const balancer = await startBalancer(urls, () => false);
  onTestFinished(() => balancer.close());
  return balancer.url;
}

async function connect(url: string, name: string): Promise<Client> {
  const client = new Client(
    { name, version: '0' },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  );
  client.setRequestHandler('elicitation/create', () => ({
    action: 'accept',
    content: { value: name },
  }));
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

test('ten users are asked 50 times, and each answer reaches its own call [M23 M29]', async () => {
  const url = await startReplicas(sharedKey);
  const names = Array.from({ length: 10 }, (_, index) => `user ${index}`);
  const clients = await Promise.all(names.map((name) => connect(url, name)));
  await Promise.all(
    clients.map(async (client, index) => {
      for (let times = 0; times < 5; times += 1) {
        const params = { name: 'probe_ask_user', arguments: { text: 'text' } };
        const { structuredContent } = await client.callTool(params);
        const text = JSON.stringify({ action: 'accept', value: names[index] });
        expect(structuredContent).toEqual({ text });
      }
    }),
  );
});

/** Uses one state twice, in different processes, and returns both results. */
async function usedTwice(url: string): Promise<unknown[]> {
  const forms = metaOf({ elicitation: {} });
  const send = async (more: object) => {
    const { message, headers } = modernCall('ask_user', { text: 'text' }, forms, { ...more });
    const { messages } = await post(url, message, headers);
    const { result, error } = messages[0] as Record<string, Record<string, unknown> | undefined>;
    return { ...result, ...error };
  };
  const { requestState } = (await send({})) as { requestState?: string };
  const accepted = { action: 'accept', content: { value: 'x' } };
  const again = { requestState, inputResponses: { 'question-1': accepted } };
  const outcome = ({ resultType, message }: Record<string, unknown>) => resultType ?? message;
  return [outcome(await send(again)), outcome(await send(again))];
}

test('without a shared key, an answer is valid only in the process that asked', async () => {
  const [first] = await usedTwice(await startReplicas({}));
  expect(first).toBe('Invalid params: requestState is not of this call. Call again without it.');
});

test('without Redis, a state can be used once in each process', async () => {
  expect(await usedTwice(await startReplicas(sharedKey))).toEqual(['complete', 'complete']);
});

test.runIf(hasRedisServer || process.env['REDIS_URL'])(
  'with Redis, it can be used only once in all processes',
  async () => {
    let REDIS_URL = process.env['REDIS_URL'];
    if (REDIS_URL === undefined) {
      const redis = await startRedisServer();
      onTestFinished(() => redis.stop());
      REDIS_URL = redis.url;
    }
    expect(await usedTwice(await startReplicas({ ...sharedKey, REDIS_URL }))).toEqual([
      'complete',
      'Invalid params: requestState was used before. Call again without it.',
    ]);
  },
);
