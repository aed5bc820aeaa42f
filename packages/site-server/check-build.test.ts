/** `npm start`, as somebody runs it who has just cloned the template. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs `npm start` in a folder that has its manifest, its script, and these files. */
async function npmStart(files: Record<string, string>) {
  const folder = await mkdtemp(path.join(tmpdir(), 'start-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ['package.json', 'packages/site-server/check-build.mjs'])
    await cp(path.join(root, name), path.join(folder, name));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile('npm', ['start'], { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
  });
}

test('without a build, npm start says what to run, in one sentence', async () => {
  const { code, stderr } = await npmStart({});
  expect(code).toBe(1);
  expect(stderr).toContain('There is no build: run `npm run build` first.\n');
  expect(stderr).not.toContain('    at ');
});

test('with one, it runs it', async () => {
  const { code, stdout } = await npmStart({ 'build/server/main.js': "console.log('the site')" });
  expect(code).toBe(0);
  expect(stdout).toContain('the site\n');
});
