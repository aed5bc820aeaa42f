import { z } from 'zod';
import { line, path, request, shaped, tool, verbatim, writes } from '@gatehouse/mcp';
import { issueId } from '../issue.ts';

const attached = z.object({ name: z.string(), bytes: z.int() });

export const attachFile = tool({
  name: 'tracker_attach_file',
  annotations: writes('Attach a file'),
  input: {
    issue_id: issueId,
    name: z.string().trim().min(1).max(100).describe('Of the file, with its ending.'),
    content: verbatim('The text.').max(100_000),
  },
  output: attached,
  purpose: 'Attaches a text file to an issue.',
  whenToUse: ['"Put this log into issue 7."'],
  whenNotToUse: ['It is a sentence: use tracker_add_comment.'],
  returns: 'The name and the size that the tracker took.',
  examples: [{ issue_id: 7, name: 'a.log', content: 'line\n' }],
  async handler({ issue_id: id, name, content }, context) {
    const body = new FormData();
    body.append('file', new File([content], name, { type: 'text/plain' }));
    const options = { method: 'POST', body } as const;
    return shaped(attached, await request(context, path`/issues/${id}/files`, options));
  },
  markdown: ({ name, bytes }) => line`Attached ${name}: ${bytes} bytes.`,
});
