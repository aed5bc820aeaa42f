/** The documented commands of `npm run store`, from the build, beside a built site that is written to. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, siteEntry, siteSettings, test } from '../../e2e/fixtures';
import { childEnv, siteFolder, startSite } from '@gatehouse/simulator/programs';
import { load, signedInWriter } from './note-writer';

test('a backup that is made while the site is written to is restored, with every earlier note and session', async ({
  stack,
  platform,
}) => {
  test.slow();
  const folder = await mkdtemp(path.join(tmpdir(), 'built-backup-'));
  const [file, copy] = [path.join(folder, 'site.db'), path.join(folder, 'copy.db')];
  const env = { DATABASE_URL: `file:${file}` };
  const start = async () => {
    const site = await startSite({ ...siteSettings(platform), entry: siteEntry, env });
    platform.setSiteUpstream(site.url);
    return site;
  };
  const store = (...command: [string, string]) =>
    promisify(execFile)('npm', ['run', '--silent', 'store', '--', ...command], {
      cwd: siteFolder,
      // No other setting, as on a machine that only restores.
      env: childEnv(env),
    });

  let site = await start();
  try {
    const writer = await signedInWriter(platform);
    const more = async (wanted: number) => {
      const enough = writer.kept.length + wanted;
      await expect.poll(() => writer.kept.length, { timeout: 60_000 }).toBeGreaterThan(enough);
    };
    const titles = async () => {
      const response = await writer.visitor.get('/api/notes/export?format=json');
      expect(response.status).toBe(200);
      const { notes } = response.json() as { notes: { title: string }[] };
      return notes.map(({ title }) => title);
    };

    let ended = false;
    const work = load(
      writer,
      () => undefined,
      () => ended,
    );
    const before: string[] = [];
    try {
      await more(30);
      before.push(...writer.kept);
      expect(await store('backup', copy)).toEqual({
        stdout: `Backed up ${file} to ${copy}.\n`,
        stderr: '',
      });
      await more(30);
      await expect(store('restore', copy)).rejects.toMatchObject({
        code: 1,
        stderr: `${file} is in use: stop the site first.\n`,
      });
      await more(10);
    } finally {
      ended = true;
      await work;
    }
    expect([writer.wrong, writer.retries]).toEqual([[], []]);
    const all = await titles();
    expect(all.sort()).toEqual(writer.kept.toSorted());

    await site.stop();
    const { stdout, stderr } = await store('restore', copy);
    expect([stdout, stderr]).toEqual([
      expect.stringContaining(`Restored ${file} from ${copy}. The previous store was moved to `),
      '',
    ]);
    site = await start();
    const restored = await titles();
    expect(before.filter((title) => !restored.includes(title))).toEqual([]);
    expect(restored.length).toBeLessThan(all.length);
    const after = writer.kept.length;
    await load(
      writer,
      () => undefined,
      () => writer.kept.length > after,
    );
    expect(writer.wrong).toEqual([]);
  } finally {
    platform.setSiteUpstream(stack.site.url);
    await site.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
