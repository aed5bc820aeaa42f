/** Two processes behind a load balancer, one of which is killed under load (M29). */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startBalancer } from '../doubles/balancer.ts';
import { clientTransport } from '../doubles/client-transport.ts';
import { serve } from '../programs/served.ts';
import { json, startUpstreamDouble } from '../../src/testing/upstream-double.ts';

const callers = 10;
const callsOfEach = 30;

const upstream = await startUpstreamDouble();
/** Called for each search that reaches the service. */
let onSearch: (query: string) => void = () => undefined;
upstream.reply((response, request) => {
  const query = new URL(request.url, upstream.url).searchParams.get('q') ?? '';
  onSearch(query);
  const person = { id: query, name: query, email: `${query}@example.com` };
  // Slow enough that calls are in progress whenever a process is killed.
  setTimeout(() => {
    json({ users: [person], total: 1 })(response, request);
  }, 10);
});
afterAll(() => upstream.close());

const startServer = () =>
  serve('stateless HTTP', {
    PROBE_API_BASE_URL: upstream.url,
    PROBE_API_TOKEN: 'a-token-of-the-service',
  });

/** Only requests declared read-only or idempotent are retried. */
const isIdempotent = (body: string) =>
  !body.includes('"tools/call"') || body.includes('"probe_search_users"');

async function load(mayRetry: (body: string) => boolean) {
  const started = await Promise.all([startServer(), startServer()]);
  const [doomed, staying] = started;
  const balancer = await startBalancer([doomed.url, staying.url], mayRetry);
  const clients = await Promise.all(
    Array.from({ length: callers }, async () => {
      const client = new Client({ name: 'test', version: '0' });
      await client.connect(clientTransport(balancer.url));
      return client;
    }),
  );
  onTestFinished(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await balancer.close();
    await Promise.all(started.map((served) => served.close()));
  });

  let searches = 0;
  onSearch = () => {
    searches += 1;
    if (searches === 50) doomed.child.kill('SIGKILL');
  };
  const lost: string[] = [];
  const foreign: string[] = [];
  const callOnce = async (client: Client, caller: number) => {
    for (let number = 0; number < callsOfEach; number += 1) {
      const query = `caller-${caller}-call-${number}`;
      const params = { name: 'probe_search_users', arguments: { query } };
      try {
        const result = await client.callTool(params);
        const found = JSON.stringify(result.structuredContent);
        if (!found.includes(`"${query}"`)) foreign.push(query);
      } catch {
        lost.push(query);
      }
    }
  };
  await Promise.all(clients.map(callOnce));
  return { balancer, doomed, lost, foreign, client: clients[0] };
}

test('one of two processes is killed under load: no idempotent call is lost, no responses are mixed up, and a new process joins [M29]', async () => {
  const { balancer, doomed, lost, foreign, client } = await load(isIdempotent);
  expect(doomed.child.signalCode).toBe('SIGKILL');
  expect({ lost, foreign }).toEqual({ lost: [], foreign: [] });
  expect(balancer.retries).toBeGreaterThan(0);

  const joined = await startServer();
  onTestFinished(() => joined.close());
  // Only the new process responds now, which has never seen the client.
  balancer.servers.splice(0, 2, joined.url);
  const params = { name: 'probe_search_users', arguments: { query: 'newcomer' } };
  expect(JSON.stringify(await client?.callTool(params))).toContain('newcomer@example.com');
});

test('without the balancer’s retry, calls would be lost', async () => {
  const { lost, foreign } = await load(() => false);
  expect(lost.length).toBeGreaterThan(0);
  expect(foreign).toEqual([]);
});
