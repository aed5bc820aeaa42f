import { z } from 'zod';
import { defineTool, line, path, responseFormat, shaped, type ToolContext } from '@gatehouse/mcp';
import { writing } from '../annotations.ts';
import { issue, issueId } from '../issue.ts';
import type { TrackerState } from '../state.ts';

export const closeIssue = defineTool({
  name: 'tracker_close_issue',
  annotations: { ...writing('Close an issue'), idempotentHint: true },
  input: z.strictObject({ issue_id: issueId, response_format: responseFormat }),
  output: issue.strict(),
  documentation: {
    purpose: 'Closes an issue.',
    whenToUse: ['The user says that it is done.'],
    whenNotToUse: ['You only guess that it is done.'],
    returns: 'The issue as it is now.',
    errors: ['The tracker refuses: the second line says why.'],
    examples: ['{"issue_id":7}'],
  },
  async handler({ issue_id: id }, context: ToolContext<TrackerState>) {
    const options = { method: 'PATCH', body: { state: 'closed' }, explained: [422] } as const;
    const { upstream } = context.lifespanState;
    return shaped(issue, await upstream.request(path`/issues/${id}`, options, context));
  },
  markdown: ({ id, title }) => line`Closed ${title} (${id}).`,
});
