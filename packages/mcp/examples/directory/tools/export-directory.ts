/** A long-running tool: reports progress, and cancels the upstream's job when its caller cancels (M03, M21). */
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import {
  type ApiState,
  blocks,
  line,
  lines,
  oneLine,
  path,
  request,
  shaped,
  tool,
  type ToolContext,
  ToolError,
  UpstreamTimeoutError,
  writes,
} from '@gatehouse/mcp';
import { documents, documentUri } from '../../starter/resources/documents.ts';

const job = z.object({
  id: z.string(),
  status: z.enum(['running', 'finished', 'cancelled']),
  done: z.int().min(0),
  total: z.int().min(0),
  poll_after_ms: z.number(),
  document: z.string().optional(),
});

type Job = z.output<typeof job>;

const teamList = z.object({
  teams: z.array(z.object({ id: z.string(), name: z.string() })).default([]),
});

/** The company's setting for the fields that may be exported. */
const exportSetting = z.object({ fields: z.array(z.string()).min(1).default(['id', 'name']) });

const longestMs = 10 * 60_000;

type Context = ToolContext<ApiState>;

export const exportDirectory = tool({
  name: 'example_export_directory',
  annotations: writes('Export the directory'),
  toolsets: ['people'],
  input: {
    team: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe('Name or ID of one team. Without it: everybody.'),
  },
  output: z.strictObject({
    id: z.string(),
    people: z.int().min(0),
    fields: z.array(z.string()),
    uri: z.string().describe('A resource: the CSV text'),
  }),
  purpose: 'Exports everybody, or one team, as a CSV document. Takes seconds to minutes.',
  whenToUse: ['"Give me a CSV file of everybody in Billing."'],
  whenNotToUse: ['You need the people yourself: page through example_search_users.'],
  returns: 'How many people, and a resource. Many clients let only the user open it.',
  errors: ['No such team: the text lists the teams.'],
  examples: [{}, { team: 'Billing' }],
  async handler({ team }, context: Context) {
    const { fields } = await readSetting(context);
    const teamId = team === undefined ? undefined : await findTeam(team, context);
    const options = { method: 'POST', body: { team_id: teamId, fields } } as const;
    const started = shaped(job, await request(context, path`/exports`, options));
    await context.logInfo('Export started', { id: started.id, people: started.total });
    const { id, total, document } = await finished(started, context);
    if (document === undefined) throw new ToolError('The export was cancelled by somebody else.');
    await context.logInfo('Export finished', { id, document });
    return { id, people: total, fields, uri: documentUri(document) };
  },
  markdown: ({ id, people, fields, uri }) =>
    blocks(
      line`# Export ${id}`,
      lines(
        line`- **People**: ${people}`,
        line`- **Fields**: ${fields.join(', ')}`,
        line`- **Resource**: ${uri}`,
      ),
      line`Where you cannot read a resource, the user can open it in their client: tell them so. To see the people yourself, page through example_search_users.`,
    ),
  links: ({ id, uri }) => [
    { uri, name: id, title: `Export ${id} of the directory`, mimeType: documents.mimeType },
  ],
});

async function readSetting(context: Context): Promise<z.output<typeof exportSetting>> {
  const [contents] = await context.readResource('config://settings/export');
  return shaped(exportSetting, JSON.parse(contents?.text ?? '{}'));
}

async function findTeam(wanted: string, context: Context): Promise<string> {
  const { teams } = shaped(teamList, await request(context, path`/teams`));
  const same = (text: string) => text.toLowerCase() === wanted.toLowerCase();
  const team = teams.find(({ id, name }) => same(id) || same(name));
  if (team) return team.id;
  const names = teams.slice(0, 50).map(({ name }) => oneLine(name, 50));
  throw new ToolError(`There is no team ${oneLine(wanted, 100)}. Teams: ${names.join(', ')}.`);
}

/** Polls the job until it is done. Cancels it on any error. */
async function finished(started: Job, context: Context): Promise<Job> {
  const deadline = performance.now() + longestMs;
  let now = started;
  try {
    while (now.status === 'running') {
      await context.reportProgress(now.done, `${now.done} of ${now.total} people`, now.total);
      if (performance.now() > deadline) throw new UpstreamTimeoutError('The export takes too long');
      const pause = Math.min(Math.max(now.poll_after_ms, 1), 5_000);
      await wait(pause, undefined, { signal: context.signal });
      now = shaped(job, await request(context, path`/exports/${started.id}`));
    }
    return now;
  } catch (error) {
    // A new signal, because the caller's own may have aborted already.
    const { caller, lifespanState } = context;
    const call = { caller, lifespanState, cancellation: AbortSignal.timeout(5_000) };
    await request(call, path`/exports/${started.id}`, { method: 'DELETE' }).catch(() =>
      context.logError('Export could not be cancelled', { id: started.id }),
    );
    throw error;
  }
}
