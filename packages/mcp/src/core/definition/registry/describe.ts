/**
 * Generates a tool's description from its documentation (M07). Types, bounds and defaults are left to the schemas,
 * which the model reads as well: repeating them would cost a third more tokens in every conversation.
 */
import type { ToolDefinition } from '../tool-definition.ts';

/** Refers to the errors that every tool can return. Repeated in each description, so it is short. */
const sharedErrors = 'Else a text that begins "Error: ".';

type Documentation = Pick<
  ToolDefinition,
  'purpose' | 'returns' | 'whenToUse' | 'whenNotToUse' | 'errors' | 'examples'
>;

/** Order: purpose, result, when to use, when not to use, errors, examples. */
export function describeTool({
  purpose,
  returns,
  whenToUse,
  whenNotToUse,
  errors,
  examples,
}: Documentation): string {
  return [
    purpose,
    `Returns: ${returns}`,
    list('Use when', whenToUse),
    list('Do not use when', whenNotToUse),
    list('Errors', [...errors, sharedErrors]),
    list('Examples', examples),
  ]
    .filter(Boolean)
    .join('\n');
}

function list(title: string, lines: readonly string[]): string {
  if (lines.length <= 1) return lines.map((line) => `${title}: ${line}`).join('');
  return [`${title}:`, ...lines.map((line) => `- ${line}`)].join('\n');
}
