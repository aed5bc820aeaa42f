/** The three kinds of tools of this service. */
import type { ToolAnnotations } from '@gatehouse/mcp';

export function reading(title: string): ToolAnnotations {
  return {
    title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  };
}

export function writing(title: string): ToolAnnotations {
  return { ...reading(title), readOnlyHint: false, idempotentHint: false };
}
