import { z } from 'zod';
import { defineTool, line, path, responseFormat, shaped, type ToolContext } from '@gatehouse/mcp';
import { writing } from '../annotations.ts';
import { issueId } from '../issue.ts';
import type { TrackerState } from '../state.ts';

const comment = z.object({ author: z.string(), text: z.string() });

export const addComment = defineTool({
  name: 'tracker_add_comment',
  annotations: writing('Comment on an issue'),
  input: z.strictObject({
    issue_id: issueId,
    text: z.string().trim().min(1).max(5_000).describe('What to say.'),
    response_format: responseFormat,
  }),
  output: comment.strict(),
  documentation: {
    purpose: 'Comments on an issue.',
    whenToUse: ['The user has something to add.'],
    whenNotToUse: ['It is a file: use tracker_attach_file.'],
    returns: 'The comment.',
    errors: [],
    examples: ['{"issue_id":7,"text":"It is mended."}'],
  },
  async handler({ issue_id: id, text }, context: ToolContext<TrackerState>) {
    const options = { method: 'POST', body: { text } } as const;
    const { upstream } = context.lifespanState;
    return shaped(comment, await upstream.request(path`/issues/${id}/comments`, options, context));
  },
  markdown: ({ author }) => line`Commented as ${author}.`,
});
