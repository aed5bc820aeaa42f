/**
 * A release: the packages as tarballs, and `create-gatehouse` with this repository's template in it. Made of what git
 * tracks, and the same for the same files.
 */
import { execFile } from 'node:child_process';
import { cp, link, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { archiveOf } from '../../packages/create/archive.ts';
import { featuresIn, isIn } from '../../packages/create/features.ts';
import { madeOnce, packedOnce } from '../../packages/create/packing/made-once.ts';
import type { Files } from '../../packages/create/plan.ts';
import { prepare } from '../../packages/create/prepared.ts';
import { loadDocuments } from '../../packages/create/generated-documents.ts';
import { vendorFolder } from '../../packages/create/vendor.ts';

/** Its bin needs one package, which is released with it. */
const own = 'template/release/create-gatehouse';

/**
 * @param files - The repository's.
 * @returns the folder of the tarballs.
 */
export async function releasedOnce(root: string, files: Files): Promise<string> {
  const packed = await packedOnce(root, files);
  const template = await templateOf(files, packed);
  const sources = new Map([...template, ...[...files].filter(([file]) => isIn([own], file))]);
  return madeOnce(path.join(root, '.cache/released'), sources, async (made) => {
    for (const file of await readdir(packed))
      await link(path.join(packed, file), path.join(made, file));
    const staging = await mkdtemp(path.join(root, '.cache/releasing-'));
    try {
      await cp(path.join(root, own), staging, { recursive: true });
      await cp(path.join(root, 'LICENSE'), path.join(staging, 'LICENSE'));
      const prepared = await prepare(template, await loadDocuments(root));
      const archive = archiveOf(new Map([...template, ...prepared]));
      await writeFile(path.join(staging, 'template.json.br'), archive);
      const { engines, repository } = manifestIn(files, 'package.json');
      const manifest = manifestIn(files, `${own}/package.json`);
      const { version } = manifestIn(files, 'packages/create/package.json');
      const dependencies = { '@gatehouse/create': version };
      const released = { ...manifest, version, engines, repository, dependencies };
      await writeFile(path.join(staging, 'package.json'), `${JSON.stringify(released, null, 2)}\n`);
      const args = ['pack', '--silent', '--pack-destination', made];
      await promisify(execFile)('npm', args, { cwd: staging });
    } finally {
      await rm(staging, { recursive: true });
    }
  });
}

/** What `npm run init` reads of a clone, with the tarballs that it would make there; and the changelog, which an update reports. */
async function templateOf(files: Files, packed: string): Promise<Files> {
  const texts = new Map(
    [...files].map(([file, content]) => [file, Buffer.from(content).toString()]),
  );
  const template = featuresIn(texts).find(({ name }) => name === 'template');
  if (!template) throw new Error('There is no template/feature.json.');
  const { files: places, instead } = template;
  const isRead = (file: string) =>
    !isIn(places, file) ||
    file === 'CHANGELOG.md' ||
    /(^|\/)(package|feature)\.json$/.test(file) ||
    Object.values(instead).includes(file);
  const tarballs = (await readdir(packed)).map(
    async (file) => [`${vendorFolder}/${file}`, await readFile(path.join(packed, file))] as const,
  );
  return new Map([
    ...[...files].filter(([file]) => isRead(file)),
    ...(await Promise.all(tarballs)),
  ]);
}

function manifestIn(files: Files, file: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(files.get(file) ?? '{}').toString()) as Record<string, unknown>;
}
