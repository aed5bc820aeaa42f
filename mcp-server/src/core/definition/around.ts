/** What may stand around each call of a tool: audit, policy, measurement. */
import type { ToolContext } from '../context/tool-context.ts';
import type { ToolDefinition } from './define-tool.ts';

/** One call, as its hooks see it. */
export interface ToolCall<State = unknown> {
  /** Stands in the call's log lines and in the result's `_meta`. */
  readonly callId: string;
  readonly tool: Pick<ToolDefinition, 'name' | 'annotations' | 'toolsets' | 'scopes'>;
  /** As the client sent them: the tool's model has not checked them yet. */
  readonly args: unknown;
  readonly context: ToolContext<State>;
}

export interface CallOutcome {
  /** `asks`: the run ended with a question to the user, and the call comes again with the answer (MCP 2026-07-28). */
  readonly status: 'ok' | 'error' | 'asks';
  /** What the model reads. Empty for a question. */
  readonly text: string;
}
