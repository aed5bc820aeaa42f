/** What an operator reads of each call: one line. Nothing of its arguments and its result. */
import type { Log } from '../../core/context/log.ts';
import type { AroundCall, FinishedCall } from './call-hooks.ts';

export function writeAccessLine(log: Log): AroundCall {
  return async ({ callId, tool, context }, next) => {
    const startedAt = performance.now();
    let finished: FinishedCall | undefined;
    try {
      finished = await next();
      return finished;
    } finally {
      log.info('Tool call', {
        callId,
        caller: context.caller.id,
        tool: tool.name,
        // A call that gave nothing was cancelled, or needed a client that can ask.
        status: finished?.status ?? (context.cancellation.aborted ? 'cancelled' : 'error'),
        /** Of the result's text, in UTF-16 units. */
        size: finished?.text.length ?? 0,
        ms: Math.round(performance.now() - startedAt),
        upstreamMs: Math.round(context.timing?.upstreamMs ?? 0),
      });
    }
  };
}
