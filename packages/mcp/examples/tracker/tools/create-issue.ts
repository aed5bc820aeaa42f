import { z } from 'zod';
import { line, path, request, shaped, tool, writes } from '@gatehouse/mcp';
import { issue } from '../issue.ts';

export const createIssue = tool({
  name: 'tracker_create_issue',
  annotations: writes('Open an issue'),
  input: {
    title: z.string().trim().min(1).max(200).describe('One line.'),
  },
  output: issue,
  purpose: 'Opens an issue.',
  whenToUse: ['The user reports something that nobody reported before.'],
  whenNotToUse: ['It may be known: look with tracker_list_issues first.'],
  returns: 'The new issue.',
  errors: ['The tracker refuses a title: the second line says why.'],
  examples: [{ title: 'Search finds nothing' }],
  async handler({ title }, context) {
    const options = { method: 'POST', body: { title }, explained: [422] } as const;
    return shaped(issue, await request(context, path`/issues`, options));
  },
  markdown: ({ id, title }) => line`Opened ${title} (${id}).`,
});
