/** The access log: one line for each call, without its arguments and result. */
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
        // No outcome means that the call was cancelled, or needed elicitation that the client does not support.
        status: finished?.status ?? (context.cancellation.aborted ? 'cancelled' : 'error'),
        size: finished?.text.length ?? 0,
        ms: Math.round(performance.now() - startedAt),
        upstreamMs: Math.round(context.timing?.upstreamMs ?? 0),
      });
    }
  };
}
