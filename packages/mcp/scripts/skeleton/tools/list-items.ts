/** A tool to start from: returns one page of items. */
import { z } from 'zod';
import {
  blocks,
  defineTool,
  limit,
  line,
  nameWithId,
  offset,
  pageOf,
  pageShape,
  path,
  responseFormat,
  shaped,
  type ToolContext,
} from '@gatehouse/mcp';
import type { SkeletonState } from '../state.ts';

const item = z.object({ id: z.string(), name: z.string() });
const listed = z.object({ items: z.array(item).default([]), total: z.int().min(0).default(0) });

export const listItems = defineTool({
  name: 'skeleton_list_items',
  annotations: {
    title: 'List items',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
  input: z.strictObject({ limit, offset, response_format: responseFormat }),
  output: z.strictObject(pageShape('items', item.strict())),
  documentation: {
    purpose: 'Lists the items.',
    whenToUse: ['"What is there?"'],
    whenNotToUse: ['You have read the page already.'],
    returns: 'One page of items.',
    errors: [],
    examples: ['{"limit":5}'],
  },
  list: 'items',
  async handler(args, context: ToolContext<SkeletonState>) {
    const query = { limit: args.limit, offset: args.offset };
    const { upstream } = context.lifespanState;
    const response = await upstream.request(path`/items`, { query }, context);
    const { items, total } = shaped(listed, response);
    return { ...pageOf({ total, count: items.length, offset: args.offset }), items };
  },
  empty: ({ total }) => (total === 0 ? 'There are no items.' : undefined),
  markdown: ({ total, count, items }) =>
    blocks(
      line`# Items`,
      line`Found ${total} items (showing ${count})`,
      ...items.map(({ id, name }) => line`- ${nameWithId(name, id)}`),
    ),
});
