/** A site that `create-gatehouse` creates, from a release's tarballs alone, is the one that `npm run init` makes of a clone. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { readFiles } from '../../packages/create/repository';
import { releasedOnce } from '../release/release';
import { copyRepository, init, repository } from './made-site';

const run = promisify(execFile);
/** Milliseconds, generous for busy machines. */
const limit = 900_000;
let folder: string;

beforeAll(async () => {
  const { files } = await readFiles(repository);
  const released = await releasedOnce(repository, files);
  const names = await readdir(released);
  const tarballs = names.filter((name) => /^(create-gatehouse|gatehouse-create)-/.test(name));
  folder = await mkdtemp(path.join(tmpdir(), 'created-'));
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--prefix', folder];
  await run('npm', ['install', ...quiet, ...tarballs.map((name) => path.join(released, name))]);
  return () => rm(folder, { recursive: true });
}, limit);

test.each([
  ['platform', 'framewise', 'studio,mcp'],
  ['in-app', '@acme/story-board', 'notes'],
  ['both', 'aardvark', 'studio'],
])(
  'a site of mode %s named %s is the same by create and by init',
  async (auth, name, without) => {
    const args = [name, '--auth', auth, '--without', without];
    const bin = path.join(folder, 'node_modules/.bin/create-gatehouse');
    // No registry is asked for anything.
    const env = {
      ...process.env,
      npm_config_offline: 'true',
      npm_config_cache: path.join(folder, 'none'),
    };
    await run(bin, [...args, '--yes', '--no-git'], { cwd: folder, env });
    const clone = await copyRepository();
    onTestFinished(clone.remove);
    await init(clone, ...args);
    const listed = await clone.run('git', 'ls-files', '--cached', '--others', '--exclude-standard');
    const kept = [];
    for (const file of listed.trim().split('\n')) {
      if (await stat(path.join(clone.folder, file)).catch(() => null)) kept.push(file);
    }

    const site = path.join(folder, path.basename(name));
    const created = await contents(site, await filesIn(site));
    expect(Object.keys(created).sort()).toEqual(kept.sort());
    expect(created).toEqual(await contents(clone.folder, kept));
  },
  limit,
);

async function filesIn(place: string): Promise<string[]> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(place, path.join(entry.parentPath, entry.name)));
}

/** Each file's bytes, and whether it can be executed. */
async function contents(place: string, files: readonly string[]) {
  const entries = files.map(async (file) => {
    const { mode } = await stat(path.join(place, file));
    const text = await readFile(path.join(place, file), 'latin1');
    return [file, { text, isExecutable: (mode & 0o111) > 0 }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
