import { z } from 'zod';
import {
  blocks,
  defineTool,
  fromPages,
  limit,
  line,
  lines,
  offset,
  pageOf,
  pageShape,
  path,
  responseFormat,
  shaped,
  type ToolContext,
} from '@gatehouse/mcp';
import { reading } from '../annotations.ts';
import { issue, issueLine } from '../issue.ts';
import type { TrackerState } from '../state.ts';

export const listIssues = defineTool({
  name: 'tracker_list_issues',
  annotations: reading('List issues'),
  input: z.strictObject({
    labels: z.array(z.string().trim().min(1).max(50)).max(10).default([]).describe('All of these.'),
    limit,
    offset,
    response_format: responseFormat,
  }),
  output: z.strictObject(pageShape('issues', issue.strict())),
  documentation: {
    purpose: 'Lists issues, the newest first.',
    whenToUse: ['"Which bugs are there?"'],
    whenNotToUse: ['You want a file of all: use tracker_export_issues.'],
    returns: 'One page of issues.',
    errors: [],
    examples: ['{"labels":["bug"]}'],
  },
  list: 'issues',
  async handler({ labels, ...requested }, context: ToolContext<TrackerState>) {
    const { upstream } = context.lifespanState;
    const found = await fromPages(requested, { size: 50 }, async (page, size) => {
      const query = { page, per_page: size, label: labels };
      const { body, headers } = await upstream.request(
        path`/issues`,
        { query, whole: true },
        context,
      );
      return { items: shaped(z.array(issue), body), total: Number(headers.get('x-total-count')) };
    });
    const { items, total } = found;
    return {
      ...pageOf({ total, count: items.length, offset: requested.offset }),
      issues: [...items],
    };
  },
  markdown: ({ total, issues }) => blocks(line`# ${total} issues`, lines(...issues.map(issueLine))),
});
