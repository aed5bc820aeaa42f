/**
 * `npm run release [-- folder]`: packs a release into a folder, checks each package, writes the bill of materials, and tags
 * the commit. Publishes nothing: the workflow does, when the tag is pushed.
 */
import { execFile } from 'node:child_process';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { runCommand } from '../../packages/create/command.ts';
import { checkCommitted, readFiles } from '../../packages/create/repository.ts';
import { Refusal } from '../../packages/create/request/refusal.ts';
import { complaints } from '../packed/complaints.ts';
import { releasedOnce } from './release.ts';

const root = path.resolve(import.meta.dirname, '../..');
const [folder = '.cache/release'] = process.argv.slice(2);

async function run(program: string, ...args: string[]): Promise<string> {
  const options = { cwd: root, maxBuffer: 2 ** 28 };
  return (await promisify(execFile)(program, args, options)).stdout.trim();
}

async function versionToTag(): Promise<string> {
  const manifest = await readFile(path.join(root, 'packages/create/package.json'), 'utf8');
  const tag = `v${(JSON.parse(manifest) as { version: string }).version}`;
  if ((await run('git', 'tag', '--list', tag)) === '') return tag;
  const [tagged, head] = await Promise.all([
    run('git', 'rev-list', '--max-count=1', tag),
    run('git', 'rev-parse', 'HEAD'),
  ]);
  if (tagged !== head) {
    throw new Refusal(`${tag} is released: npm run release:version gives the next version.`);
  }
  return tag;
}

async function release(): Promise<string> {
  await checkCommitted(root);
  const tag = await versionToTag();
  const { files } = await readFiles(root);
  const released = await releasedOnce(root, files);
  const wrong = [];
  for (const file of await readdir(released)) {
    const tarball = await readFile(path.join(released, file));
    for (const complaint of await complaints(tarball)) wrong.push(`${file}: ${complaint}`);
  }
  if (wrong.length > 0) throw new Refusal(`Not released.\n${wrong.join('\n')}`);

  const place = path.resolve(root, folder);
  await rm(place, { recursive: true, force: true });
  await cp(released, place, { recursive: true });
  // What the packages bring along: the dependencies of their manifests, as this repository locks them.
  const packages = (await readdir(path.join(root, 'packages'), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => ['--workspace', `packages/${name}`]);
  const sbom = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'];
  await writeFile(path.join(place, 'sbom.cdx.json'), `${await run('npm', ...sbom, ...packages)}\n`);
  if ((await run('git', 'tag', '--list', tag)) === '')
    await run('git', 'tag', '--annotate', tag, '--message', tag);
  const list = (await readdir(place)).map((file) => path.join(folder, file));
  return [...list, `Tagged ${tag}`].join('\n');
}

await runCommand(release);
