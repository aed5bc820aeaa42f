/** Turns a clone of the template into a site. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { checkImports } from './edits/imports.ts';
import { packedOnce } from './packing/made-once.ts';
import { planFor, samplesIn, type Files } from './plan.ts';
import { preview } from './preview.ts';
import { recordFile } from './record.ts';
import { checkCommitted, readFiles, undoing } from './repository.ts';
import { checkName, readArguments, type Command } from './request/command-line.ts';
import { askFeatures, askTarget, checkWanted, type Terminal } from './request/questions.ts';
import { generatedDocuments, loadDocuments } from './generated-documents.ts';
import { reasonOf, Refusal } from './request/refusal.ts';
import { vendorFolder } from './vendor.ts';
import { filesLeftIn } from './writing/places.ts';
import { finishWriting } from './writing/steps.ts';
import { write } from './writing/write.ts';

const command: Command = { name: 'npm run init --', target: '<name>', own: [] };

/**
 * @param argv the command's arguments.
 * @param terminal where to ask for what is missing.
 * @returns what the command prints.
 * @throws {Refusal} if it changes nothing, and tells why.
 */
export async function init(root: string, argv: string[], terminal?: Terminal): Promise<string> {
  if (!argv.some((each) => ['--help', '-h'].includes(each))) {
    const finished = await finishWriting(root);
    if (finished) return `Finished a run that was broken off\n${finished.report}`;
  }
  const { files, git } = await readFiles(root);
  const { present, names, isSite } = samplesIn(files);
  const given = readArguments(argv, names, command);
  if (typeof given === 'string') return given;
  // A later run only removes what it is told to.
  const asked = given.yes || isSite ? undefined : terminal;
  const name = given.target ?? (asked && (await askTarget(checkName, asked)));
  if (name === undefined) throw new Refusal(`The site needs a name: npm run init -- <name>`);
  checkName(name);
  const wanted = asked ? await askFeatures(given, present, asked) : given;
  const plan = planFor(files, { without: [], ...wanted, name });
  if (!plan) return 'Nothing to do.';
  if (git) await checkCommitted(root);
  const removed = [...plan.folders.map((folder) => `${folder}/`), ...plan.dependencies];
  if (asked) {
    const changes = [`${plan.remove.length} files removed, ${plan.write.size} written`];
    await checkWanted([...changes, `Removed: ${removed.join(', ')}`], asked);
  }
  const documents = await generatedDocuments(files, plan, () => loadDocuments(root));
  const tarballs = await packed(root, files, plan.vendor);
  const after = await preview(files, plan, new Map([...documents, ...tarballs]));
  checkImports(after, plan.places);
  const report = [
    `Removed  ${removed.join(', ')}`,
    `Written  ${plan.write.size + documents.size} files, and ${recordFile}, which records their state`,
  ];
  const next = [
    git ? `Undo     ${undoing}` : 'Undo     not possible: there is no git repository here',
    'Next     npm install, commit, npm test',
  ];
  const { folders } = plan;
  await write({ root, before: files, after, folders, report: [...report, ...next].join('\n') });
  const left = await filesLeftIn(root, folders);
  return [...report, ...left.map((file) => `Left     ${file} (not tracked by git)`), ...next].join(
    '\n',
  );
}

/** The tarballs of packages, by their path in the site. */
async function packed(root: string, files: Files, tarballs: readonly string[]): Promise<Files> {
  if (tarballs.length === 0) return new Map();
  const folder = await packedOnce(root, files).catch((error: unknown) => {
    throw new Refusal(
      `The packages could not be packed, so nothing was changed: ${reasonOf(error)}`,
    );
  });
  const read = async (file: string) =>
    [`${vendorFolder}/${file}`, await readFile(path.join(folder, file))] as const;
  return new Map(await Promise.all(tarballs.map(read)));
}
