import { line, path, request, shaped, tool, writes } from '@gatehouse/mcp';
import { issue, issueId } from '../issue.ts';

export const closeIssue = tool({
  name: 'tracker_close_issue',
  annotations: writes('Close an issue', { idempotent: true }),
  input: { issue_id: issueId },
  output: issue,
  purpose: 'Closes an issue.',
  whenToUse: ['The user says that it is done.'],
  whenNotToUse: ['You only guess that it is done.'],
  returns: 'The issue as it is now.',
  errors: ['The tracker refuses: the second line says why.'],
  examples: [{ issue_id: 7 }],
  async handler({ issue_id: id }, context) {
    const options = { method: 'PATCH', body: { state: 'closed' }, explained: [422] } as const;
    return shaped(issue, await request(context, path`/issues/${id}`, options));
  },
  markdown: ({ id, title }) => line`Closed ${title} (${id}).`,
});
