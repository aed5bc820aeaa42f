import { z } from 'zod';
import { line, path, request, shaped, tool, writes } from '@gatehouse/mcp';
import { issueId } from '../issue.ts';

const comment = z.object({ author: z.string(), text: z.string() });

export const addComment = tool({
  name: 'tracker_add_comment',
  annotations: writes('Comment on an issue'),
  input: {
    issue_id: issueId,
    text: z.string().trim().min(1).max(5_000).describe('What to say.'),
  },
  output: comment,
  purpose: 'Comments on an issue.',
  whenToUse: ['The user has something to add.'],
  whenNotToUse: ['It is a file: use tracker_attach_file.'],
  returns: 'The comment.',
  examples: [{ issue_id: 7, text: 'It is mended.' }],
  async handler({ issue_id: id, text }, context) {
    const options = { method: 'POST', body: { text } } as const;
    return shaped(comment, await request(context, path`/issues/${id}/comments`, options));
  },
  markdown: ({ author }) => line`Commented as ${author}.`,
});
