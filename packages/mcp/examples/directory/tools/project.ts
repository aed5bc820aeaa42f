/** The model and Markdown of a project, shared by the tools for projects. */
import { z } from 'zod';
import { humanTime, line, lines, type Markdown } from '@gatehouse/mcp';

export const project = z.object({
  id: z.string(),
  name: z.string(),
  estimate_days: z.int().optional(),
  tags: z.array(z.string()).default([]),
  created_at: z.string().describe('ISO 8601'),
});

/** Renders a project's fields other than its name. */
export function projectFacts(item: z.output<typeof project>): Markdown {
  const { estimate_days: days, tags, created_at: createdAt } = item;
  return lines(
    line`- **Created**: ${humanTime(createdAt)}`,
    days === undefined ? undefined : line`- **Estimate**: ${days} days`,
    tags.length === 0 ? undefined : line`- **Tags**: ${tags.join(', ')}`,
  );
}
