/** The commands of the real `package.json`, in a folder whose path Vite cannot read. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));

test.each(
  ['#', '?', '%'].flatMap((mark) => ['dev', 'build', 'check', 'test'].map((name) => [name, mark])),
)('npm run %s below a path with %s prints one sentence', async (name = '', mark = '') => {
  const root = await mkdtemp(path.join(tmpdir(), 'path-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const folder = path.join(root, `a${mark}b`, 'site');
  const installed = path.join(folder, 'node_modules/@gatehouse/server');
  await mkdir(installed, { recursive: true });
  await cp(path.join(repository, 'package.json'), path.join(folder, 'package.json'));
  const script = 'check-path.mjs';
  await cp(path.join(repository, 'packages/server', script), path.join(installed, script));
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile('npm', ['run', name], { cwd: folder }, (error, _stdout, text) => {
      resolve({ code: error?.code ?? 0, stderr: text });
    });
  });
  expect(code).toBe(1);
  expect(stderr).toContain(
    `The path of this folder contains “${mark}”, which Vite cannot read: move or rename ${folder}.\n`,
  );
  expect(stderr).not.toContain('    at ');
});
