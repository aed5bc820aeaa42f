import { z } from 'zod';
import {
  defineTool,
  line,
  path,
  responseFormat,
  shaped,
  type ToolContext,
  verbatim,
} from '@gatehouse/mcp';
import { writing } from '../annotations.ts';
import { issueId } from '../issue.ts';
import type { TrackerState } from '../state.ts';

const attached = z.object({ name: z.string(), bytes: z.int() });

export const attachFile = defineTool({
  name: 'tracker_attach_file',
  annotations: writing('Attach a file'),
  input: z.strictObject({
    issue_id: issueId,
    name: z.string().trim().min(1).max(100).describe('Of the file, with its ending.'),
    content: verbatim('The text.').max(100_000),
    response_format: responseFormat,
  }),
  output: attached.strict(),
  documentation: {
    purpose: 'Attaches a text file to an issue.',
    whenToUse: ['"Put this log into issue 7."'],
    whenNotToUse: ['It is a sentence: use tracker_add_comment.'],
    returns: 'The name and the size that the tracker took.',
    errors: [],
    examples: ['{"issue_id":7,"name":"a.log","content":"line\\n"}'],
  },
  async handler({ issue_id: id, name, content }, context: ToolContext<TrackerState>) {
    const { upstream } = context.lifespanState;
    const body = new FormData();
    body.append('file', new File([content], name, { type: 'text/plain' }));
    const options = { method: 'POST', body } as const;
    return shaped(attached, await upstream.request(path`/issues/${id}/files`, options, context));
  },
  markdown: ({ name, bytes }) => line`Attached ${name}: ${bytes} bytes.`,
});
