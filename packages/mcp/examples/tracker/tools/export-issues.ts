import { z } from 'zod';
import {
  blocks,
  defineTool,
  fence,
  line,
  path,
  responseFormat,
  type ToolContext,
} from '@gatehouse/mcp';
import { reading } from '../annotations.ts';
import type { TrackerState } from '../state.ts';

export const exportIssues = defineTool({
  name: 'tracker_export_issues',
  annotations: reading('Export issues'),
  input: z.strictObject({
    state: z.enum(['open', 'closed']).default('open').describe('Which issues.'),
    response_format: responseFormat,
  }),
  output: z.strictObject({ csv: z.string() }),
  documentation: {
    purpose: 'Gives all issues of a state as CSV.',
    whenToUse: ['"Give me the open issues for a spreadsheet."'],
    whenNotToUse: ['You look for some of them: use tracker_list_issues.'],
    returns: 'The CSV text, with a header.',
    errors: [],
    examples: ['{"state":"closed"}'],
  },
  async handler({ state }, context: ToolContext<TrackerState>) {
    const options = { query: { state }, as: 'text', headers: { accept: 'text/csv' } } as const;
    return {
      csv: await context.lifespanState.upstream.request(path`/issues.csv`, options, context),
    };
  },
  markdown: ({ csv }) => blocks(line`# Issues`, fence(csv, 'csv')),
});
