/** Requests a report that the tracker creates in the background, and polls until it is finished. */
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { line, path, reads, request, shaped, tool } from '@gatehouse/mcp';

const pauseMs = 200;

const report = z.object({ id: z.string(), percent: z.int(), open: z.int().optional() });

export const makeReport = tool({
  name: 'tracker_make_report',
  annotations: reads('Report on all issues'),
  output: z.strictObject({ open: z.int() }),
  purpose: 'Counts the open issues of all projects. It may take a minute.',
  whenToUse: ['"How much is left to do?"'],
  whenNotToUse: ['You want to see them: use tracker_list_issues.'],
  returns: 'How many are open.',
  examples: [{}],
  async handler(_, context) {
    const begun = await request(context, path`/reports`, { method: 'POST' });
    const { id } = shaped(report, begun);
    for (;;) {
      const now = shaped(report, await request(context, path`/reports/${id}`));
      if (now.open !== undefined) return { open: now.open };
      await context.reportProgress(now.percent / 100, `${now.percent} %`);
      await wait(pauseMs, undefined, { signal: context.signal });
    }
  },
  markdown: ({ open }) => line`${open} issues are open.`,
});
