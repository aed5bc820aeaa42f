/** The program, as somebody types it. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('main.ts', import.meta.url));

test.each([
  [['--what'], /Unknown option '--what'[^]*--against {2}a site/],
  [['--against', 'nonsense'], /--against wants an address/],
  [['--list', 'nowhere.json'], /There is no list of routes at/],
])('%j ends with 2 and says why', async (args, words) => {
  const ended = await new Promise<{ code: unknown; stderr: string; stdout: string }>((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', program, ...args], (error, stdout, stderr) => {
      resolve({ code: error?.code, stdout, stderr });
    });
  });
  expect(ended.code).toBe(2);
  expect(ended.stderr).toMatch(words);
  expect(ended.stdout).toBe('');
});
