/** `tools/list` and `tools/call` (M04, M08, M32). */
import { z } from 'zod';
import { callTool } from '../../core/call-tool.ts';
import type { Handler } from '../connection.ts';
import { contentBlockOf, hasLinks } from '../content.ts';
import { createToolContext } from '../context/context.ts';
import { resume } from '../modern/rounds.ts';
import type { Binding } from '../modern/request-state.ts';
import { codes, echo, parseParams, ProtocolError, refuseCursor } from '../protocol-error.ts';

/** The registry's objects as they are: nothing is computed for a list. */
export const listTools: Handler = (params, { runtime: { registry } }) => {
  refuseCursor(params);
  return registry.listResult;
};

const callParams = z.object({ name: z.string(), arguments: z.unknown().optional() });

/** Whatever the tool's own doing is a result, with `isError` when it failed; an unknown name is not. */
export const callNamedTool: Handler = async (params, call) => {
  const { name, arguments: rawArguments = {} } = parseParams(callParams, params);
  const tool = call.runtime.registry.tools.get(name);
  if (!tool) throw new ProtocolError(codes.invalidParams, `Unknown tool: ${echo(name)}`);
  const startedAt = performance.now();
  const { runtime, remembered, extra, caller } = call;
  const binding: Binding = {
    callerId: caller.id,
    method: 'tools/call',
    target: name,
    args: rawArguments,
  };
  const comesAgain = call.states && (params as Retry).requestState !== undefined;
  const rounds = comesAgain ? await resume(call, binding, params as Retry) : undefined;
  const context = createToolContext(call, binding, rounds);
  const { callId } = context;
  let outcome: Pick<AccessLine, 'status' | 'size'> = { status: 'cancelled', size: 0 };
  try {
    const { text, structured, links, media, isError } = await callTool(
      tool,
      rawArguments,
      context,
      {
        sizeLimit: runtime.limits.resultSize,
        mediaLimit: runtime.limits.mediaBytes,
        onUnexpected(error) {
          runtime.log.error('A tool failed unexpectedly', { tool: name, callId, error });
        },
      },
    );
    const question = context.outcome(isError);
    if (question) {
      outcome = { status: 'isError' in question ? 'error' : 'asks', size: 0 };
      return { ...question, _meta: { callId } };
    }
    outcome = { status: isError ? 'error' : 'ok', size: text.length };
    const revision = extra.revision ?? remembered.revision;
    return {
      content: [
        { type: 'text', text },
        ...((links && hasLinks(revision) && links) || []).map((link) => ({
          type: 'resource_link' as const,
          ...link,
        })),
        ...(media ?? []).map((one) => contentBlockOf(one, revision)),
      ],
      ...(structured && { structuredContent: structured }),
      ...(isError && { isError }),
      _meta: { callId },
    };
  } finally {
    await context.finish();
    const line: AccessLine = {
      callId,
      caller: caller.id,
      tool: name,
      ...outcome,
      ms: Math.round(performance.now() - startedAt),
      upstreamMs: Math.round(context.timing.upstreamMs),
    };
    runtime.log.info('Tool call', { ...line });
  }
};

/** What a call has beside its arguments when it comes again with its user's answer. */
type Retry = Readonly<Record<string, unknown>>;

/** What an operator reads of each call. Nothing of its arguments and its result. */
interface AccessLine {
  readonly callId: string;
  readonly caller: string;
  readonly tool: string;
  readonly status: 'ok' | 'error' | 'cancelled' | 'asks';
  /** Of the result's text, in UTF-16 units. */
  readonly size: number;
  readonly ms: number;
  readonly upstreamMs: number;
}
