import { z } from 'zod';
import { blocks, fromPages, line, page, path, reads, request, shaped, tool } from '@gatehouse/mcp';
import { issue, issueLine } from '../issue.ts';

export const listIssues = tool({
  name: 'tracker_list_issues',
  annotations: reads('List issues'),
  input: {
    labels: z.array(z.string().trim().min(1).max(50)).max(10).default([]).describe('All of these.'),
  },
  output: page('issues', issue),
  purpose: 'Lists issues, the newest first.',
  whenToUse: ['"Which bugs are there?"'],
  whenNotToUse: ['You want a file of all: use tracker_export_issues.'],
  returns: 'One page of issues.',
  examples: [{ labels: ['bug'] }],
  handler({ labels, ...requested }, context) {
    return fromPages(requested, { size: 50 }, async (page, size) => {
      const query = { page, per_page: size, label: labels };
      const { body, headers } = await request(context, path`/issues`, { query, whole: true });
      return { items: shaped(z.array(issue), body), total: Number(headers.get('x-total-count')) };
    });
  },
  markdown: ({ total, issues }) => blocks(line`# ${total} issues`, issues.map(issueLine)),
});
