import { z } from 'zod';
import { defineTool, line, path, responseFormat, shaped, type ToolContext } from '@gatehouse/mcp';
import { writing } from '../annotations.ts';
import { issue } from '../issue.ts';
import type { TrackerState } from '../state.ts';

export const createIssue = defineTool({
  name: 'tracker_create_issue',
  annotations: writing('Open an issue'),
  input: z.strictObject({
    title: z.string().trim().min(1).max(200).describe('One line.'),
    response_format: responseFormat,
  }),
  output: issue.strict(),
  documentation: {
    purpose: 'Opens an issue.',
    whenToUse: ['The user reports something that nobody reported before.'],
    whenNotToUse: ['It may be known: look with tracker_list_issues first.'],
    returns: 'The new issue.',
    errors: ['The tracker refuses a title: the second line says why.'],
    examples: ['{"title":"Search finds nothing"}'],
  },
  async handler({ title }, context: ToolContext<TrackerState>) {
    const options = { method: 'POST', body: { title }, explained: [422] } as const;
    return shaped(
      issue,
      await context.lifespanState.upstream.request(path`/issues`, options, context),
    );
  },
  markdown: ({ id, title }) => line`Opened ${title} (${id}).`,
});
