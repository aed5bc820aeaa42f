/** Turns a clone of the template into a site. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readRequest } from './request/command-line.ts';
import { planFor, samplesIn, type Files } from './plan.ts';
import { recordFile } from './record.ts';
import { Refusal } from './request/refusal.ts';
import { settingDocuments, settingsRegistry } from './setting-documents.ts';
import { packedOnce } from './packing/made-once.ts';
import { checkCommitted, readFiles, write } from './repository.ts';
import { checkImports } from './edits/imports.ts';
import { preview } from './preview.ts';
import { vendorFolder } from './vendor.ts';

/**
 * @param argv the command's arguments.
 * @returns what the command prints.
 * @throws {Refusal} if it changes nothing, and tells why.
 */
export async function init(root: string, argv: string[]): Promise<string> {
  const { files, git } = await readFiles(root);
  const request = readRequest(argv, samplesIn(files));
  if (typeof request === 'string') return request;
  const plan = planFor(files, request);
  if (!plan) return 'Nothing to do.';
  if (git) await checkCommitted(root);
  const registry = files.get(settingsRegistry);
  if (registry) {
    const changed = plan.write.get(settingsRegistry);
    const text = changed ?? Buffer.from(registry).toString();
    const left = [...files.keys()].filter((file) => !plan.remove.includes(file));
    const exists = (name: string) => left.some((file) => `${file}/`.startsWith(`app/${name}/`));
    const documents = settingDocuments(root, text, exists).catch((error: unknown) => {
      if (changed !== undefined) throw error;
      // An interrupted run has removed the packages, and written the documents before.
      return [];
    });
    for (const [file, document] of await documents) plan.write.set(file, document);
  }
  const after = await preview(files, plan, await packed(root, files, plan.vendor));
  checkImports(after, plan.places);
  const left = await write(root, files, after, plan).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    const way = git ? 'Undo it with git stash --include-untracked -- .' : 'Fix that';
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(`The run failed halfway: ${reason}. ${way}, then run it again.`);
  });

  const removed = [...plan.folders.map((folder) => `${folder}/`), ...plan.dependencies];
  return [
    `Removed  ${removed.join(', ')}`,
    `Written  ${plan.write.size} files, and ${recordFile}, which records their state`,
    ...left.map((file) => `Left     ${file} (not tracked by git)`),
    git
      ? 'Undo     git stash --include-untracked -- .'
      : 'Undo     not possible: there is no git repository here',
    'Next     npm install, commit, npm test',
  ].join('\n');
}

/** The tarballs of packages, by their path in the site. */
async function packed(root: string, files: Files, tarballs: readonly string[]): Promise<Files> {
  if (tarballs.length === 0) return new Map();
  const folder = await packedOnce(root, files).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(`The packages could not be packed, so nothing was changed: ${reason}`);
  });
  const read = async (file: string) =>
    [`${vendorFolder}/${file}`, await readFile(path.join(folder, file))] as const;
  return new Map(await Promise.all(tarballs.map(read)));
}
