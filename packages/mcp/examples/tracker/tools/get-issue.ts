import { line, path, reads, request, shaped, tool } from '@gatehouse/mcp';
import { issue, issueId } from '../issue.ts';

export const getIssue = tool({
  name: 'tracker_get_issue',
  annotations: reads('Show an issue'),
  input: { issue_id: issueId },
  output: issue,
  purpose: 'Shows an issue.',
  whenToUse: ['"What is issue 7?"'],
  whenNotToUse: ['You do not know its number: use tracker_list_issues.'],
  returns: 'Its title, state and labels.',
  examples: [{ issue_id: 7 }],
  async handler({ issue_id: id }, context) {
    return shaped(issue, await request(context, path`/issues/${id}`));
  },
  markdown: ({ id, title, state, labels }) =>
    line`# ${title} (${id}): ${state} ${labels.join(', ')}`,
});
