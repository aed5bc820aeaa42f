/** Requests a report that the tracker creates in the background, and polls until it is finished. */
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { defineTool, line, path, responseFormat, shaped, type ToolContext } from '@gatehouse/mcp';
import { reading } from '../annotations.ts';
import type { TrackerState } from '../state.ts';

const pauseMs = 200;

const report = z.object({ id: z.string(), percent: z.int(), open: z.int().optional() });

export const makeReport = defineTool({
  name: 'tracker_make_report',
  annotations: reading('Report on all issues'),
  input: z.strictObject({ response_format: responseFormat }),
  output: z.strictObject({ open: z.int() }),
  documentation: {
    purpose: 'Counts the open issues of all projects. It may take a minute.',
    whenToUse: ['"How much is left to do?"'],
    whenNotToUse: ['You want to see them: use tracker_list_issues.'],
    returns: 'How many are open.',
    errors: [],
    examples: ['{}'],
  },
  async handler(_, context: ToolContext<TrackerState>) {
    const { upstream } = context.lifespanState;
    const begun = await upstream.request(path`/reports`, { method: 'POST' }, context);
    const { id } = shaped(report, begun);
    for (;;) {
      const now = shaped(report, await upstream.request(path`/reports/${id}`, {}, context));
      if (now.open !== undefined) return { open: now.open };
      await context.reportProgress(now.percent / 100, `${now.percent} %`);
      await wait(pauseMs, undefined, { signal: context.signal });
    }
  },
  markdown: ({ open }) => line`${open} issues are open.`,
});
