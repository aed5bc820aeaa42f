/** What `gatehouse update` does before it asks for a release. */
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Refusal } from '../request/refusal.ts';
import { repositoryOf } from '../test-repository.ts';
import { write } from '../writing/write.ts';
import { updateCommand } from './command.ts';

async function run(root: string, ...argv: string[]) {
  const printed: string[] = [];
  const { text, isComplete } = await updateCommand(root, argv, (line) => printed.push(line));
  return { text, isComplete, printed: printed.join('\n') };
}

/** A site in which a run was broken off: a folder was in the way of its second file. */
async function brokenOff() {
  const site = await repositoryOf({ 'a.txt': 'a\n' });
  const changed = { 'a.txt': 'new\n', 'b.txt': 'new\n' };
  const files = (texts: Record<string, string>) =>
    new Map(Object.entries(texts).map(([file, text]) => [file, Buffer.from(text)] as const));
  const inTheWay = path.join(site.folder, 'b.txt.gatehouse');
  await mkdir(inTheWay);
  const writing = { before: files({ 'a.txt': 'a\n' }), after: files(changed) };
  const broken = write({ root: site.folder, ...writing, report: 'Moved', isComplete: false });
  await expect(broken).rejects.toThrow('broken off');
  return { site, inTheWay };
}

test('--help explains it, and an option that there is not is refused with its usage', async () => {
  const { folder } = await repositoryOf();
  expect(await run(folder, '--help')).toMatchObject({
    text: expect.stringMatching(/^npx gatehouse update [^]*--dry-run only reports/) as string,
    isComplete: true,
  });
  for (const argv of [['--force'], ['1.0.0', '2.0.0']]) {
    const refused = run(folder, ...argv);
    await expect(refused).rejects.toThrow(Refusal);
    await expect(refused).rejects.toThrow(': npx gatehouse update [version]');
  }
});

test('a folder without releases is named', async () => {
  const { folder } = await repositoryOf();
  await mkdir(path.join(folder, 'none'));
  await expect(run(folder, '--from', 'none')).rejects.toThrow(/There is no release in .*none\.$/);
  await writeFile(path.join(folder, 'none/create-gatehouse-1.0.0.tgz'), '');
  await expect(run(folder, '2.0.0', '--from', 'none')).rejects.toThrow(
    'There is no create-gatehouse-2.0.0.tgz in',
  );
});

test('a dry run does not finish a run that was broken off, and the next one does, with its report', async () => {
  const { site, inTheWay } = await brokenOff();
  const before = await site.files();
  await expect(run(site.folder, '--dry-run')).rejects.toThrow('A run was broken off');
  expect(await site.files()).toEqual(before);

  await rmdir(inTheWay);
  const { printed, text, isComplete } = await run(site.folder, '--no-install');
  expect(printed).toBe('Finished   a run that was broken off\nMoved');
  expect(text).toMatch(/Undo {7}git stash [^]*Next {7}decide what is listed, npm install/);
  expect(isComplete).toBe(false);
  expect(await site.files()).toEqual({ 'a.txt': 'new\n', 'b.txt': 'new\n' });
});
