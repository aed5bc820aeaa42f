import { z } from 'zod';
import { blocks, fence, line, path, reads, request, tool } from '@gatehouse/mcp';

export const exportIssues = tool({
  name: 'tracker_export_issues',
  annotations: reads('Export issues'),
  input: {
    state: z.enum(['open', 'closed']).default('open').describe('Which issues.'),
  },
  output: z.strictObject({ csv: z.string() }),
  purpose: 'Gives all issues of a state as CSV.',
  whenToUse: ['"Give me the open issues for a spreadsheet."'],
  whenNotToUse: ['You look for some of them: use tracker_list_issues.'],
  returns: 'The CSV text, with a header.',
  examples: [{ state: 'closed' }],
  async handler({ state }, context) {
    const options = { query: { state }, as: 'text', headers: { accept: 'text/csv' } } as const;
    return {
      csv: await request(context, path`/issues.csv`, options),
    };
  },
  markdown: ({ csv }) => blocks(line`# Issues`, fence(csv, 'csv')),
});
