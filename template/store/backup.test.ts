/** `npm run store`: backup while a site writes, and restore. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lookFor, startWriter, whole } from '../durability/kills';

const root = fileURLToPath(new URL('../..', import.meta.url));

let folder = '';
let url = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'backup-'));
  url = `file:${path.join(folder, 'site.db')}`;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs the program of `npm run store` from its source. `built-backup.spec.ts` runs the built one. */
async function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, DATABASE_URL: url };
  const program = ['--import', 'tsx', 'app/server/store.ts', ...args];
  return promisify(execFile)(process.execPath, program, { cwd: root, env }).then(
    (output) => ({ code: 0, ...output }),
    (error: unknown) => {
      if (!(error instanceof Error && 'stderr' in error && 'stdout' in error)) throw error;
      return { code: 1, stdout: String(error.stdout), stderr: String(error.stderr) };
    },
  );
}

test('a backup taken while a site writes has every earlier acknowledged write, and can be restored', async () => {
  const copy = path.join(folder, 'copy.db');
  const writer = await startWriter(url);
  await writer.more(100);
  const before = [...writer.kept];
  expect(await run('backup', copy)).toMatchObject({ code: 0, stderr: '' });
  await writer.more(50);

  // A running site has the file open, so the restore is refused and the site continues.
  expect(await run('restore', copy)).toMatchObject({
    code: 1,
    stderr: `${path.join(folder, 'site.db')} is in use: stop the site first.\n`,
  });
  await writer.more(50);
  await writer.end('SIGTERM');
  expect(writer.failures).toEqual([]);

  const restored = await run('restore', copy);
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  const then = await lookFor(url, before);
  expect(then).toMatchObject(whole);

  // The replaced file is kept, and is a complete store too.
  const replaced = (await readdir(folder)).find((name) => name.includes('.replaced-')) ?? '';
  const all = await lookFor(`file:${path.join(folder, replaced)}`, writer.kept);
  expect(all).toMatchObject(whole);
  expect(then.rows).toBeLessThan(all.rows);
});

test('a corrupt or missing store is restored from its backup', async () => {
  const copy = path.join(folder, 'copy.db');
  const writer = await startWriter(url);
  await writer.more(30);
  await writer.end('SIGTERM');
  await run('backup', copy);
  await writeFile(path.join(folder, 'site.db'), 'broken');
  expect(await run('restore', copy)).toMatchObject({ code: 0 });
  expect(await lookFor(url, writer.kept)).toMatchObject(whole);
  for (const end of ['', '-wal', '-shm'])
    await rm(path.join(folder, `site.db${end}`), { force: true });
  expect(await run('restore', copy)).toMatchObject({ code: 0 });
  expect(await lookFor(url, writer.kept)).toMatchObject(whole);
});

test('a WAL that was left behind by a store that is gone is not applied to its backup', async () => {
  const copy = path.join(folder, 'copy.db');
  const file = path.join(folder, 'site.db');
  const writer = await startWriter(url);
  await writer.more(30);
  const before = [...writer.kept];
  expect(await run('backup', copy)).toMatchObject({ code: 0 });
  await writer.more(30);
  // A killed site leaves its WAL.
  await writer.end('SIGKILL');
  await rename(file, `${file}.moved`);
  expect(await readdir(folder)).toContain('site.db-wal');

  expect(await run('restore', copy)).toMatchObject({ code: 0, stderr: '' });
  const replaced = (await readdir(folder)).filter((name) => /\.replaced-.*-wal$/.test(name));
  expect(replaced).toHaveLength(1);
  const then = await lookFor(url, before);
  expect(then).toMatchObject(whole);
  expect(then.rows).toBeLessThan(2 * writer.kept.length);
});

test('a file that is not a backup is not restored, and a backup overwrites no file', async () => {
  const writer = await startWriter(url);
  await writer.more(10);
  await writer.end('SIGTERM');
  const file = path.join(folder, 'other');
  await writeFile(file, 'no store at all, but long enough to be taken for one\n'.repeat(100));
  expect(await run('restore', file)).toMatchObject({
    code: 1,
    stderr: `${file} is not a valid store.\n`,
  });
  expect(await run('backup', file)).toMatchObject({
    code: 1,
    stderr: `${file} already exists.\n`,
  });
  expect(await run('restore', `${file}2`)).toMatchObject({ code: 1 });
  expect((await run('copy')).stderr).toMatch(/^Usage: npm run store/);
  expect(await lookFor(url, writer.kept)).toMatchObject(whole);
  expect((await readdir(folder)).filter((name) => name.includes('partial'))).toEqual([]);
});
