/** Many concurrent callers of one process with colliding request ids: responses are never mixed up. */
import { afterAll, expect, test } from 'vitest';
import { serve } from '../programs/served.ts';
import { json, startUpstreamDouble } from '../../src/testing/upstream-double.ts';

const callers = 20;
const callsOfEach = 25;

const upstream = await startUpstreamDouble();
/** Holds back responses until there are this many, then sends them in another order. */
let held: (() => void)[] = [];
upstream.reply((response, request) => {
  const query = new URL(request.url, upstream.url).searchParams.get('q') ?? '';
  const person = { id: query, name: query, email: `${query}@example.com` };
  held.push(() => {
    json({ users: [person], total: 1 })(response, request);
  });
  if (held.length < callers) return;
  const order = held.map((_, index) => (index * 7) % held.length);
  const responses = held;
  held = [];
  for (const index of order) responses[index]?.();
});
const served = await serve('stateless HTTP', {
  PROBE_API_BASE_URL: upstream.url,
  PROBE_API_TOKEN: 'a-token-of-the-service',
});
afterAll(async () => {
  await served.close();
  await upstream.close();
});

/** Sends a message and returns the response, both as JSON texts. */
type Send = (message: string) => Promise<string>;

/** Sends calls with ids counted from 0, like every other caller. @returns Responses that belong to another caller. */
async function mixed(send: Send): Promise<string[]> {
  const wrong: string[] = [];
  const callOnce = async (caller: number) => {
    for (let id = 0; id < callsOfEach; id += 1) {
      const query = `caller-${caller}-call-${id}`;
      const params = {
        name: 'probe_search_users',
        arguments: { query, response_format: 'json' },
      };
      const text = await send(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }));
      const response = JSON.parse(text) as {
        id: unknown;
        result?: { structuredContent?: unknown };
      };
      const found = JSON.stringify(response.result?.structuredContent ?? null);
      if (response.id !== id || !found.includes(`"${query}"`)) wrong.push(query);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => callOnce(caller)));
  return wrong;
}

const sendToServer: Send = async (message) => {
  const response = await fetch(served.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: message,
  });
  return response.text();
};

test('500 calls of 20 callers with colliding ids: no responses are mixed up [M29]', async () => {
  expect(await mixed(sendToServer)).toEqual([]);
});

test('the test detects a server that matches responses by the caller’s id only', async () => {
  const waiting = new Map<unknown, (text: string) => void>();
  const byIdAlone: Send = async (message) => {
    const { id } = JSON.parse(message) as { id: unknown };
    const response = new Promise<string>((resolve) => {
      const earlier = waiting.get(id);
      waiting.set(id, (text) => {
        earlier?.(text);
        resolve(text);
      });
    });
    void sendToServer(message).then((text) => {
      waiting.get(id)?.(text);
      waiting.delete(id);
    });
    return response;
  };
  expect((await mixed(byIdAlone)).length).toBeGreaterThan(0);
});
