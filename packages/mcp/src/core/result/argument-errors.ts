/** The error text for invalid arguments. Bounded, whatever the client sent. */
import type { z } from 'zod';
import { oneLine } from './format.ts';

/** How many are listed before "and 2 more". One more is listed where only that one would be left. */
const problemsBeforeMore = 5;
const namesBeforeMore = 3;
const longestName = 40;
const longestProblem = 158;

/**
 * Describes the first few problems, one line each, in at most 1,000 characters. It repeats the names of fields,
 * truncated and on one line, and never a value.
 *
 * It parses the arguments again with custom messages: passing these to every parse would make each six times
 * slower.
 *
 * @param given The arguments that the model rejected.
 */
export function argumentErrorText(model: z.ZodType, given: unknown): string {
  const { error } = model.safeParse(given, { error: argumentSentence });
  // Report a field with two problems only once.
  const issues = (error?.issues ?? []).filter(
    ({ path }, index, all) => path.join('.') !== all[index - 1]?.path.join('.'),
  );
  const problems = firstUnlessOneMore(issues, problemsBeforeMore).map(({ path, message }) => {
    const field = path.map((step) => oneLine(String(step), longestName)).join('.');
    return `- ${oneLine(field === '' ? message : `${field}: ${message}`, longestProblem)}`;
  });
  const more = issues.length - problems.length;
  if (more > 0) problems.push(`- and ${more} more`);
  return ['Error: Invalid arguments.', ...problems].join('\n');
}

/** Returns all items if there is only one further, because "and 1 more" would take the place of what it hides. */
function firstUnlessOneMore<Item>(items: readonly Item[], count: number): readonly Item[] {
  return items.length === count + 1 ? items : items.slice(0, count);
}

/** Replaces zod's own message, which lists every unknown field. */
function argumentSentence(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys') {
    const shown = firstUnlessOneMore(issue.keys, namesBeforeMore);
    // Four names are shorter, so that the line has room for each.
    const length = shown.length > namesBeforeMore ? 32 : longestName;
    const names = shown.map((key) => oneLine(key, length));
    const more = issue.keys.length - names.length;
    return `Unknown fields: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  }
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.input === undefined) return 'Required';
  // zod reports: expected int, received number.
  return issue.expected === 'int' ? 'Invalid input: expected a whole number' : undefined;
}
