/** Composes the hooks around a tool call: the server's own, then the service's. */
import type { CallOutcome, ToolCall } from '../../core/definition/around.ts';
import type { ServiceDefinition } from '../../core/definition/service-definition.ts';
import { doneText, errorText, isUnexpected } from '../../core/result/errors.ts';
import type { Log } from '../../core/context/log.ts';
import type { AnyResult } from '../connection.ts';
import { ProtocolError } from '../protocol-error.ts';

export interface FinishedCall extends CallOutcome {
  readonly result: AnyResult;
}

/** A hook of this server. It returns the result of `next()`. */
export type AroundCall = (
  call: ToolCall,
  next: () => Promise<FinishedCall>,
) => Promise<FinishedCall>;

/** Composes hooks; the first is the outermost. */
export function composed([first, ...others]: readonly AroundCall[]): AroundCall {
  if (!first) return (_, next) => next();
  if (others.length === 0) return first;
  const inner = composed(others);
  return (call, next) => first(call, () => inner(call, next));
}

/**
 * Wraps a service's hook. An error that it throws becomes a result with `isError`, like an error of a tool. The
 * hook cannot run the tool twice or replace its result.
 */
export function ofService(around: NonNullable<ServiceDefinition['around']>, log: Log): AroundCall {
  return async (call, next) => {
    const { callId, tool, context } = call;
    let isCalled = false;
    let finished: FinishedCall | undefined;
    try {
      const given = await around(call, async () => {
        if (isCalled) throw new Error('around() called next() twice');
        isCalled = true;
        return (finished = await next());
      });
      if (finished && given === finished) return finished;
      context.cancellation.throwIfAborted();
      throw new Error('around() gave something other than what next() gave');
    } catch (error) {
      if (context.cancellation.aborted || error instanceof ProtocolError) throw error;
      if (isUnexpected(error)) {
        log.error('The hook around a call failed', { tool: tool.name, callId, error });
      }
      // The write was made: a model that read only the error would repeat it.
      const isDone = finished?.status === 'ok' && !tool.annotations.readOnlyHint;
      const text = errorText(error);
      return failed(isDone ? doneText(text) : text, callId);
    }
  };
}

function failed(text: string, callId: string): FinishedCall {
  const result = { content: [{ type: 'text', text }], isError: true, _meta: { callId } };
  return { status: 'error', text, result };
}
