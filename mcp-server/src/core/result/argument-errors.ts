/** What a model reads when its arguments are not as the input model says. Small, whatever was sent. */
import type { z } from 'zod';
import { oneLine } from './format.ts';

const mostProblems = 5;
const mostNames = 3;
const longestName = 40;
const longestProblem = 160;

/**
 * The first few problems, a line each. Of what was sent, only names of fields come back, cut and on one
 * line; never a value. At most 1,000 characters.
 *
 * It parses again, with sentences of its own: to hand these to every parse would make each take six times as long.
 *
 * @param given What the model refused.
 */
export function argumentErrorText(model: z.ZodType, given: unknown): string {
  const { error } = model.safeParse(given, { error: argumentSentence });
  // A field that is wrong in two ways is named once.
  const issues = (error?.issues ?? []).filter(
    ({ path }, index, all) => path.join('.') !== all[index - 1]?.path.join('.'),
  );
  const problems = issues.slice(0, mostProblems).map(({ path, message }) => {
    const field = path.map((step) => oneLine(String(step), longestName)).join('.');
    return `- ${oneLine(field === '' ? message : `${field}: ${message}`, longestProblem)}`;
  });
  const more = issues.length - problems.length;
  if (more > 0) problems.push(`- and ${more} more`);
  return ['Error: Invalid arguments.', ...problems].join('\n');
}

/** In place of zod's own words, which repeat each unknown field. */
function argumentSentence(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.slice(0, mostNames).map((key) => oneLine(key, longestName));
    const more = issue.keys.length - names.length;
    return `Unknown fields: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  }
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.input === undefined) return 'Required';
  // zod says that it had expected an int and received a number.
  return issue.expected === 'int' ? 'Invalid input: expected a whole number' : undefined;
}
