/** A tool with a nullable argument in a nested query, as its client and the upstream see it. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createUpstream } from '../../src/core/upstream/client.ts';
import { path } from '../../src/core/upstream/path.ts';
import { connectClient, textOf } from '../doubles/connected-client.ts';
import { json, startUpstreamDouble } from '../../src/testing/upstream-double.ts';
import { createProbeService } from '../probes/probe-service.ts';

test('a null in a query is omitted, like undefined', async () => {
  const double = await startUpstreamDouble();
  double.reply(json({}));
  const upstream = createUpstream({ baseUrl: double.url });
  const probe = createProbeService();
  const tools = probe.tools.map((tool) =>
    tool.name === 'probe_show_context'
      ? {
          ...tool,
          input: tool.input.extend({
            state: z.string().trim().max(10).nullable().describe('Or any.'),
          }),
          handler: async (args: { state?: string | null }, context: never) => {
            const query = { filter: { state: args.state, kind: 'bug' } };
            await upstream.request(path`/issues`, { query }, context);
            return { text: 'found' };
          },
        }
      : tool,
  ) as typeof probe.tools;
  const { client } = await connectClient({ service: { ...probe, tools } });
  const result = await client.callTool({ name: 'probe_show_context', arguments: { state: null } });
  expect(textOf(result)).toBe('found');
  expect(decodeURIComponent(double.requests[0]?.url ?? '')).toBe('/issues?filter[kind]=bug');
  await upstream.close();
  await double.close();
});
