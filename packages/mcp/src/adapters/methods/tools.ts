/** `tools/list` and `tools/call` (M04, M08, M32). */
import { z } from 'zod';
import { callTool } from '../../core/call-tool.ts';
import type { RegisteredTool } from '../../core/definition/registry/registry.ts';
import type { FinishedCall } from '../calls/call-hooks.ts';
import type { Call, Handler } from '../connection.ts';
import { contentBlockOf, hasLinks } from '../content.ts';
import { CallContext } from '../context/context.ts';
import { resume } from '../questions/rounds.ts';
import type { Binding } from '../questions/request-state.ts';
import { codes, echo, parseParams, ProtocolError, refuseCursor } from '../protocol-error.ts';

/** Returns the registry's own frozen result: nothing is computed for a list. */
export const listTools: Handler = (params, { runtime: { registry } }) => {
  refuseCursor(params);
  return registry.listResult;
};

const callParams = z.object({ name: z.string(), arguments: z.unknown().optional() });

/**
 * An error of a tool becomes a result with `isError`, to which the model can react. An unknown name is a protocol
 * error.
 */
export const callNamedTool: Handler = async (params, call) => {
  const { name, arguments: rawArguments = {} } = parseParams(callParams, params);
  const tool = call.runtime.registry.tools.get(name);
  if (!tool) throw new ProtocolError(codes.invalidParams, `Unknown tool: ${echo(name)}`);
  const { runtime, caller } = call;
  const binding: Binding = {
    callerId: caller.id,
    method: 'tools/call',
    target: name,
    args: rawArguments,
  };
  const comesAgain = call.states && (params as Retry).requestState !== undefined;
  const rounds = comesAgain ? await resume(call, binding, params as Retry) : undefined;
  const context = new CallContext(call, binding, rounds);
  const { callId } = context;
  try {
    const { result } = await runtime.around({ callId, tool, args: rawArguments, context }, () =>
      runTool(call, tool, rawArguments, context),
    );
    return result;
  } finally {
    await context.finish();
  }
};

async function runTool(
  { runtime, remembered, extra }: Call,
  tool: RegisteredTool,
  rawArguments: unknown,
  context: CallContext,
): Promise<FinishedCall> {
  const { callId } = context;
  const { text, structured, links, media, isError } = await callTool(tool, rawArguments, context, {
    resultSize: runtime.limits.resultSize,
    mediaBytes: runtime.limits.mediaBytes,
    onUnexpected(error) {
      runtime.log.error('A tool failed unexpectedly', { tool: tool.name, callId, error });
    },
  });
  const question = context.outcome(isError);
  if (question) {
    const status = 'isError' in question ? 'error' : 'asks';
    return { status, text: '', result: { ...question, _meta: { callId } } };
  }
  const revision = extra.revision ?? remembered.revision;
  const result = {
    content: [
      { type: 'text', text },
      ...((links && hasLinks(revision) && links) || []).map((link) => ({
        type: 'resource_link' as const,
        ...link,
      })),
      ...(media ?? []).map((part) => contentBlockOf(part, revision)),
    ],
    ...(structured && { structuredContent: structured }),
    ...(isError && { isError }),
    _meta: { callId },
  };
  return { status: isError ? 'error' : 'ok', text, result };
}

type Retry = Readonly<Record<string, unknown>>;
