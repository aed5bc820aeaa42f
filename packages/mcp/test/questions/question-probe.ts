/** A tool whose behaviour each test sets, and calls of it in the modern era: for tests of elicitation. */
import { beforeEach } from 'vitest';
import { z } from 'zod';
import { post, startServer, type ServerChanges } from '../doubles/http-server.ts';
import { metaOf, modernCall, type modern } from '../doubles/modern-messages.ts';
import type { ToolContext } from '../../src/core/context/tool-context.ts';
import { tool, writes } from '../../src/core/definition/tool.ts';
import { line } from '../../src/core/result/markdown.ts';
import { createProbeService, type ProbeState } from '../probes/probe-service.ts';

export type Fields = Readonly<Record<string, unknown>>;
export type Run = (context: ToolContext<ProbeState>) => Promise<string>;

export const forms = metaOf({ elicitation: {} });

let run: Run;

/** Sets what the tool `probe_run_test` does in this test. */
export function toolRuns(next: Run): void {
  run = next;
}

beforeEach(() => {
  toolRuns(() => Promise.resolve('nothing'));
});

function running(name: string) {
  return tool({
    name: `probe_${name}`,
    annotations: writes('Runs', { destructive: true, openWorld: false }),
    purpose: 'Runs what a test says.',
    whenToUse: ['In tests.'],
    whenNotToUse: ['Elsewhere.'],
    returns: 'What it gave.',
    examples: [{}],
    input: {
      a: z.string().trim().max(10).describe('Any.').optional(),
      b: z.string().trim().max(10).describe('Any.').optional(),
    },
    output: z.strictObject({ text: z.string() }),
    handler: async (_args, context: ToolContext<ProbeState>) => ({ text: await run(context) }),
    markdown: ({ text }) => line`${text}`,
  });
}

export function service() {
  const probe = createProbeService();
  return { ...probe, tools: [...probe.tools, running('run_test'), running('run_other')] };
}

export const start = (changes: ServerChanges = {}) =>
  startServer({ service: service(), ...changes });

export interface Questions {
  readonly inputRequests: Readonly<Record<string, { method: string; params: Fields }>>;
  readonly requestState: string;
}

export async function send(
  url: string,
  { message, headers }: ReturnType<typeof modern>,
  more: Record<string, string> = {},
) {
  const { status, messages } = await post(url, message, { ...headers, ...more });
  const { result, error } = (messages.at(-1) ?? {}) as { result?: Fields; error?: Fields };
  return { status, result, error, questions: result as unknown as Questions };
}

export const call = (url: string, more: Fields = {}, args: Fields = {}, headers = {}) =>
  send(url, modernCall('run_test', args, forms, more), headers);

export const accept = (value: unknown) => ({ action: 'accept', content: { value } });

/** Repeats the call with the answer to each question. */
export function withReply({ inputRequests, requestState }: Questions, response: unknown): Fields {
  const inputResponses = Object.fromEntries(
    Object.keys(inputRequests).map((place) => [place, response]),
  );
  return { inputResponses, requestState };
}

export const textResult = (text: string) => ({
  resultType: 'complete',
  structuredContent: { text },
});

export const elicitName: Run = async (context) =>
  JSON.stringify(await context.elicit('Your name?', 'text'));
