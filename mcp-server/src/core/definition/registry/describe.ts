/**
 * A tool's description for a model, made of its documentation (M07). Types, bounds and defaults stand in its schemas,
 * which a model reads beside it: said twice, they would cost every conversation a third more.
 */
import type { ToolDocumentation } from '../define-tool.ts';

/** What every tool may answer, beside its own errors. Said once a tool, so in few words. */
const sharedErrors = 'Else a text that begins "Error: ".';

/** Purpose, result, when to use and when not, errors, examples. */
export function describeTool(documentation: ToolDocumentation): string {
  const { purpose, returns, whenToUse, whenNotToUse, errors, examples } = documentation;
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
