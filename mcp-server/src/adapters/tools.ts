/** `tools/list` and `tools/call` (M04, M08, M32). */
import type { ListToolsResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { callTool } from '../core/call-tool.ts';
import type { Handler } from './connection.ts';
import { createToolContext } from './context.ts';
import { codes, echo, parseParams, ProtocolError, refuseCursor } from './protocol-error.ts';

/** The registry's objects as they are: nothing is computed for a list. */
export const listTools: Handler = (params, { runtime: { registry } }) => {
  refuseCursor(params);
  return registry.listResult as ListToolsResult;
};

const callParams = z.object({ name: z.string(), arguments: z.unknown().optional() });

/** Whatever the tool's own doing is a result, with `isError` when it failed; an unknown name is not. */
export const callNamedTool: Handler = async (params, call) => {
  const { name, arguments: rawArguments = {} } = parseParams(callParams, params);
  const tool = call.runtime.registry.tools.get(name);
  if (!tool) throw new ProtocolError(codes.invalidParams, `Unknown tool: ${echo(name)}`);
  const startedAt = performance.now();
  const context = createToolContext(call);
  try {
    const {
      text,
      structured,
      links = [],
      isError,
    } = await callTool(tool, rawArguments, context, {
      sizeLimit: call.runtime.limits.resultSize,
      onUnexpected(error) {
        call.runtime.log.error('A tool failed unexpectedly', { tool: name, error });
      },
    });
    const takesLinks = call.extra.takesLinks ?? call.remembered.takesLinks;
    return {
      content: [
        { type: 'text', text },
        ...(takesLinks ? links : []).map((link) => ({ type: 'resource_link' as const, ...link })),
      ],
      ...(structured && { structuredContent: structured }),
      ...(isError && { isError }),
    };
  } finally {
    await context.finish();
    call.runtime.log.debug('A tool ran', {
      tool: name,
      ms: Math.round(performance.now() - startedAt),
      upstreamMs: Math.round(context.timing.upstreamMs),
    });
  }
};
