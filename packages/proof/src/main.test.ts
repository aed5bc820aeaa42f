/** The command line. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('main.ts', import.meta.url));

test('--help prints the usage, which says what --routes selects', async () => {
  const ended = await run(['--help']);
  expect(ended.code).toBeUndefined();
  expect(ended.stderr).toBe('');
  expect(ended.stdout).toMatch(
    /--routes {5}proves only the routes at or below this path, .*; \/ is the home page alone/,
  );
});

test.each([
  [['--what'], /Unknown option '--what'[^]*--against {4}checks a deployed site/],
  [['--against', 'nonsense'], /--against must be a URL/],
  [['--list', 'nowhere.json'], /There is no list of routes at/],
])('%j exits with 2 and an error message', async (args, message) => {
  const ended = await run(args);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toMatch(message);
  expect(ended.stdout).toBe('');
});

function run(args: string[]): Promise<{ code: unknown; stderr: string; stdout: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', program, ...args], (error, stdout, stderr) => {
      resolve({ code: error?.code, stdout, stderr });
    });
  });
}
