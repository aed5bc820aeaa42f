/** The parts of a test, run as npm runs them. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';

const program = path.join(import.meta.dirname, 'bin/parts.js');
const folder = await mkdtemp(path.join(tmpdir(), 'parts-'));
afterAll(() => rm(folder, { recursive: true }));
const scripts = {
  types: 'echo the types',
  lint: 'echo a mistake && exit 1',
  flows: 'echo the flows',
  // Fails the first time only.
  flaky: "node -e \"try { fs.rmdirSync('seen') } catch { fs.mkdirSync('seen'); process.exit(1) }\"",
};
await writeFile(path.join(folder, 'package.json'), JSON.stringify({ scripts }));

function run(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile('node', [program, ...args], { cwd: folder }, (_error, output) => {
      resolve({ code: child.exitCode ?? -1, output: output.replaceAll(/\d+ s\b/g, 'N s') });
    });
  });
}

test('each part’s output is shown, and what it took at the end', async () => {
  const { code, output } = await run('types', 'then', 'flows');
  expect(output).toMatch(/the types[^]*the flows[^]*\n\n {2}types: N s\n {2}flows: N s\n$/);
  expect(code).toBe(0);
});

test('of a failed part the last line says how to run it alone; what comes after it is not run', async () => {
  const { code, output } = await run('types', 'lint', 'then', 'flows');
  expect(output).toContain('a mistake');
  expect(output).not.toContain('the flows');
  const end = '\n\n  types: N s\n  lint: N s\n  flows: not run\nlint failed. Alone: npm run lint\n';
  expect(output.endsWith(end)).toBe(true);
  expect(code).toBe(1);
});

test('with --retry a part that fails is run once more, and named', async () => {
  const passed = await run('--retry', 'flaky', 'types', 'then', 'flows');
  expect(passed.output.split('\n\n').at(-1)).toBe(
    '  flaky: N s, then N s once more\n  types: N s\n  flows: N s\n',
  );
  expect(passed.code).toBe(0);
  const failed = await run('--retry', 'lint');
  expect(failed.output.match(/a mistake/g)?.length).toBeGreaterThan(1);
  expect(failed.output).toMatch(/lint failed\. Alone: npm run lint\n$/);
  expect(failed.code).toBe(1);
});
