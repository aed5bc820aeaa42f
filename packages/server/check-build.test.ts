/** `npm start` in a fresh clone. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const script = fileURLToPath(new URL('check-build.mjs', import.meta.url));

/** Runs `npm start` in a folder with these files. */
async function npmStart(files: Record<string, string>) {
  const folder = await mkdtemp(path.join(tmpdir(), 'start-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const scripts = { prestart: `node ${script}`, start: 'node build/server/main.js' };
  const manifest = { 'package.json': JSON.stringify({ type: 'module', scripts }) };
  for (const [name, text] of Object.entries({ ...manifest, ...files })) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile('npm', ['start'], { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
  });
}

test('without a build, npm start prints one sentence with the command to run', async () => {
  const { code, stderr } = await npmStart({});
  expect(code).toBe(1);
  expect(stderr).toContain('There is no build/server/main.js: run `npm run build` first.\n');
  expect(stderr).not.toContain('    at ');
});

test('with a build, npm start runs it', async () => {
  const { code, stdout } = await npmStart({ 'build/server/main.js': "console.log('the site')" });
  expect(code).toBe(0);
  expect(stdout).toContain('the site\n');
});
