/** Tools with several requests of which a write succeeded and another failed, as their clients see them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UpstreamCall } from '../../src/core/context/tool-context.ts';
import { createUpstream, shaped, type Upstream } from '../../src/core/upstream/client.ts';
import { path } from '../../src/core/upstream/path.ts';
import { z } from 'zod';
import { connectClient, textOf } from '../doubles/connected-client.ts';
import {
  json,
  reset,
  startUpstreamDouble,
  type UpstreamDouble,
} from '../doubles/upstream-double.ts';
import { createProbeService } from '../probes/probe-service.ts';

let double: UpstreamDouble;
let upstream: Upstream;
beforeAll(async () => {
  double = await startUpstreamDouble();
  double.reply((response, request) => {
    const name = request.url.slice(1);
    (name === 'lost' ? reset : json({ name }, name === 'busy' ? 503 : 200))(response, request);
  });
  upstream = createUpstream({ baseUrl: double.url });
});
afterAll(async () => {
  await upstream.close();
  await double.close();
});

type Handler = (context: UpstreamCall) => Promise<unknown>;

/** Calls a tool with this handler. */
async function answerOf(handler: Handler, isRead = false): Promise<string> {
  const probe = createProbeService();
  const tools = probe.tools.map((tool) =>
    tool.name === 'probe_show_context'
      ? {
          ...tool,
          annotations: { ...tool.annotations, readOnlyHint: isRead },
          handler: (_: unknown, context: UpstreamCall) => handler(context),
        }
      : tool,
  ) as typeof probe.tools;
  const { client } = await connectClient({ service: { ...probe, tools } });
  return textOf(await client.callTool({ name: 'probe_show_context', arguments: {} }));
}

const post = (name: string, context: UpstreamCall) =>
  upstream.request(path`/${name}`, { method: 'POST', body: {} }, context);
const get = (name: string, context: UpstreamCall) => upstream.request(path`/${name}`, {}, context);
const misread = (answer: unknown) => shaped(z.object({ id: z.string() }), answer);

const warning =
  'A write of this call has succeeded: look at what it changed before you call again.';
const lost = 'Error: Unexpected error occurred: UpstreamConnectionError';
const unreadable = 'Error: The service answered with success and without a readable body.';

test.each<[string, Handler, string]>([
  [
    'one of two writes side by side is lost',
    async (context) => {
      const made = post('made', context);
      await Promise.allSettled([made, post('other', context)]);
      await Promise.all([post('lost', context), made]);
    },
    `${lost}\n${warning}`,
  ],
  [
    'a read after a write is lost',
    async (context) => {
      await post('made', context);
      await get('lost', context);
    },
    `${lost}\n${warning}`,
  ],
  [
    'a read after a write is refused',
    async (context) => {
      await post('made', context);
      await get('busy', context);
    },
    `Error: API request failed with status 503\n${warning}`,
  ],
  [
    'a write is misread after a read',
    async (context) => {
      const answer = await post('made', context);
      await get('seen', context);
      misread(answer);
    },
    `${unreadable} ${warning}`,
  ],
  [
    'a write is refused after a read',
    async (context) => {
      await get('seen', context);
      await post('busy', context);
    },
    'Error: API request failed with status 503',
  ],
])('%s [M32]', async (_, handler, text) => {
  expect(await answerOf(handler)).toBe(text);
});

test('a tool that only reads warns of nothing, even if its service is asked by POST [M32]', async () => {
  const handler: Handler = async (context) => {
    misread(await post('search', context));
  };
  expect(await answerOf(handler, true)).toBe(
    'Error: Unexpected error occurred: UpstreamResponseError',
  );
});
