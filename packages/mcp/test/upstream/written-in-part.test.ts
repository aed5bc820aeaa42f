/** Tools with several requests of which a write succeeded and another failed, as their clients see them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UpstreamCall } from '../../src/core/context/tool-context.ts';
import {
  ToolError,
  UpstreamResponseError,
  UpstreamStatusError,
} from '../../src/core/result/errors.ts';
import {
  createUpstream,
  type RequestOptions,
  type Upstream,
} from '../../src/core/upstream/client.ts';
import { shaped } from '../../src/core/upstream/response/shaped.ts';
import { path } from '../../src/core/upstream/path.ts';
import { z } from 'zod';
import { connectClient, textOf } from '../doubles/connected-client.ts';
import { toolContext } from '../../src/testing/tool-context-double.ts';
import {
  bytes,
  drip,
  json,
  reset,
  startUpstreamDouble,
  type UpstreamDouble,
} from '../../src/testing/upstream-double.ts';
import { createProbeService } from '../probes/probe-service.ts';

let double: UpstreamDouble;
let upstream: Upstream;
/** Sends the responses to the writes that a test called slow. */
const held: (() => void)[] = [];
beforeAll(async () => {
  double = await startUpstreamDouble();
  double.reply((response, request) => {
    const name = request.url.slice(1);
    if (name === 'slow')
      held.push(() => {
        json({})(response, request);
      });
    else if (name === 'late') drip(response, request);
    else (name === 'lost' ? reset : json({ name }, name === 'busy' ? 503 : 200))(response, request);
  });
  upstream = createUpstream({ baseUrl: double.url, timeoutMs: 2_000 });
});
afterAll(async () => {
  await upstream.close();
  await double.close();
});

type Handler = (context: UpstreamCall) => Promise<unknown>;

/** Calls a tool with this handler. */
async function resultOf(handler: Handler, isRead = false): Promise<string> {
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

const post = (name: string, context: UpstreamCall, options: RequestOptions = {}) =>
  upstream.request(path`/${name}`, { method: 'POST', body: {}, ...options }, context);
const get = (name: string, context: UpstreamCall) => upstream.request(path`/${name}`, {}, context);
const misread = (response: unknown) => shaped(z.object({ id: z.string() }), response);

const warning =
  'A write of this call has succeeded: look at what it changed before you call again.';
const lost = 'Error: Unexpected error occurred: UpstreamConnectionError';
const perhaps = warning.replace('has', 'may have');
const unreadable = 'Error: The service answered with success and without a readable body.';

test.each<[string, Handler, string]>([
  [
    'a second write is lost',
    async (context) => {
      await post('made', context);
      await post('lost', context);
    },
    `${lost}\n${warning}`,
  ],
  [
    'one of two writes side by side is lost, before the other has its response',
    async (context) => {
      await Promise.all([post('slow', context), post('lost', context)]);
    },
    `${lost}\n${perhaps}`,
  ],
  [
    'a write is made, and its body is late',
    async (context) => {
      await post('late', context);
    },
    `Error: Request timed out. Please try again.\n${warning}`,
  ],
  [
    'the tool itself gives up after a write',
    async (context) => {
      await post('made', context);
      throw new ToolError('The report is not ready.');
    },
    `Error: The report is not ready.\n${warning}`,
  ],
  [
    'a write is refused after a read by POST',
    async (context) => {
      await post('search', context, { isRead: true });
      await post('busy', context);
    },
    'Error: API request failed with status 503',
  ],
  [
    'a write cannot be encoded',
    async (context) => {
      await post('made', context, { body: { size: 1n } });
    },
    'Error: Unexpected error occurred: TypeError',
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
      const response = await post('made', context);
      await get('seen', context);
      misread(response);
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
  expect(await resultOf(handler)).toBe(text);
  for (const send of held.splice(0)) send();
});

test.each<[string, Handler, string]>([
  [
    'misread',
    async (context) => {
      misread(await post('search', context));
    },
    'Error: Unexpected error occurred: UpstreamResponseError',
  ],
  [
    'late',
    async (context) => {
      await post('late', context);
    },
    'Error: Request timed out. Please try again.',
  ],
])(
  'a tool that only reads warns of nothing, even if it asks by POST: the answer is %s [M32]',
  async (_, handler, text) => {
    expect(await resultOf(handler, true)).toBe(text);
  },
);

test('a read by POST is retried like a GET, and its empty answer is no success', async () => {
  const busy = await startUpstreamDouble();
  const client = createUpstream({ baseUrl: busy.url });
  const search = (isRead: boolean) =>
    client.request(path`/search`, { method: 'POST', body: {}, isRead }, toolContext());
  busy.reply(json({}, 503, { 'retry-after': '0' }), json({ found: 1 }));
  expect(await search(true)).toEqual({ found: 1 });
  busy.reply(json({}, 503, { 'retry-after': '0' }), json({ found: 1 }));
  await expect(search(false)).rejects.toThrow(UpstreamStatusError);
  busy.reply(bytes(''));
  await expect(search(true)).rejects.toThrow(UpstreamResponseError);
  await client.close();
  await busy.close();
});
