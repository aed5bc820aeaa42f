import { z } from 'zod';
import { defineTool, line, path, responseFormat, shaped, type ToolContext } from '@gatehouse/mcp';
import { reading } from '../annotations.ts';
import { issue, issueId } from '../issue.ts';
import type { TrackerState } from '../state.ts';

export const getIssue = defineTool({
  name: 'tracker_get_issue',
  annotations: reading('Show an issue'),
  input: z.strictObject({ issue_id: issueId, response_format: responseFormat }),
  output: issue.strict(),
  documentation: {
    purpose: 'Shows an issue.',
    whenToUse: ['"What is issue 7?"'],
    whenNotToUse: ['You do not know its number: use tracker_list_issues.'],
    returns: 'Its title, state and labels.',
    errors: [],
    examples: ['{"issue_id":7}'],
  },
  async handler({ issue_id: id }, context: ToolContext<TrackerState>) {
    return shaped(
      issue,
      await context.lifespanState.upstream.request(path`/issues/${id}`, {}, context),
    );
  },
  markdown: ({ id, title, state, labels }) =>
    line`# ${title} (${id}): ${state} ${labels.join(', ')}`,
});
