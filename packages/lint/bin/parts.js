#!/usr/bin/env node
/**
 * Runs npm scripts as the parts of one test: `gatehouse-parts lint build then flows` runs the first two at once, and `flows` if both
 * pass. Prints what each took; of a part that failed, the command that runs it alone.
 *
 * `--retry` runs a part that failed once more: a busy machine fails a test in some thousands of its runs, and what is
 * broken fails twice.
 */
import concurrently from 'concurrently';

/**
 * @param {string[]} parts names of npm scripts
 * @returns {Promise<{ part: string; seconds: number; passed: boolean }[]>}
 */
async function run(parts) {
  const commands = parts.map((part) => ({ command: `npm run ${part}`, name: part }));
  const { result } = concurrently(commands, { group: true, prefix: 'none' });
  // Rejected with the same list, if a part failed.
  const ended = await result.catch((/** @type {import('concurrently').CloseEvent[]} */ all) => all);
  ended.sort((part, other) => part.index - other.index);
  return ended.map(({ command, exitCode, timings }) => ({
    part: command.name,
    seconds: timings.durationSeconds,
    passed: exitCode === 0,
  }));
}

const words = process.argv.slice(2);
if (words.length === 0 || words.includes('--help')) {
  process.stdout.write('Usage: gatehouse-parts [--retry] <script>… [then <script>…]…\n');
  process.exit(words.length === 0 ? 2 : 0);
}
const isRetried = words.includes('--retry');
const groups = words
  .filter((word) => word !== '--retry')
  .join(' ')
  .split(' then ')
  .map((group) => group.split(' '));

/** @type {string[]} */
const lines = [];
/** @type {string[]} */
let failed = [];
for (const group of groups) {
  if (failed.length > 0) {
    lines.push(...group.map((part) => `${part}: not run`));
    continue;
  }
  const first = await run(group);
  const again = first.filter(({ passed }) => isRetried && !passed).map(({ part }) => part);
  if (again.length > 0) process.stdout.write(`\nOnce more: ${again.join(', ')}\n\n`);
  const second = again.length > 0 ? await run(again) : [];
  for (const { part, seconds } of first) {
    const repeated = second.find((other) => other.part === part);
    const more = repeated ? `, then ${Math.round(repeated.seconds)} s once more` : '';
    lines.push(`${part}: ${Math.round(seconds)} s${more}`);
  }
  failed = (isRetried ? second : first).filter(({ passed }) => !passed).map(({ part }) => part);
}

process.stdout.write(`\n${lines.map((line) => `  ${line}\n`).join('')}`);
for (const part of failed) process.stdout.write(`${part} failed. Alone: npm run ${part}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
