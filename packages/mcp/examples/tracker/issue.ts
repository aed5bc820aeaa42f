/** The model and Markdown of an issue, shared by the tools for issues. */
import { z } from 'zod';
import { line, type Markdown } from '@gatehouse/mcp';

export const issueId = z.int().min(1).describe('The issue.');

export const issue = z.object({
  id: z.int(),
  title: z.string(),
  state: z.enum(['open', 'closed']),
  labels: z.array(z.string()).default([]),
});

export function issueLine({ id, title, state }: z.output<typeof issue>): Markdown {
  return line`- ${title} (${id}), ${state}`;
}
