/** The hook around each tool call: for audit, policy and metrics. */
import type { ToolContext } from '../context/tool-context.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** A tool call as the hook receives it. */
export interface ToolCall<State = unknown> {
  /** Also in the call's log lines and in the result's `_meta`. */
  readonly callId: string;
  readonly tool: Pick<ToolDefinition, 'name' | 'annotations' | 'toolsets' | 'scopes'>;
  /** The arguments as received, before the tool's model validates them. */
  readonly args: unknown;
  readonly context: ToolContext<State>;
}

export interface CallOutcome {
  /**
   * `asks`: the run ended with a question to the user, and the client repeats the call with the answer (MCP
   * 2026-07-28).
   */
  readonly status: 'ok' | 'error' | 'asks';
  /** The text that the model reads. Empty for a question. */
  readonly text: string;
}
