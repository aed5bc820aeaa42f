/** `gatehouse to-react-router`: moves a site that was made for Remix. */
import { filesWithTexts, type Files } from '../plan.ts';
import { lockFile, lockOf } from '../preview.ts';
import { digestOf, digestsOf, recordFile, recordIn } from '../record.ts';
import { checkCommitted, readFiles, undoing } from '../repository.ts';
import { Refusal } from '../request/refusal.ts';
import { write } from '../writing/write.ts';
import { configFile, forReactRouter } from './react-router.ts';

/**
 * @returns what the command prints.
 * @throws {Refusal} if it changes nothing, and tells why.
 */
export async function toReactRouter(root: string): Promise<string> {
  const { files, git } = await readFiles(root);
  const record = recordIn(files);
  if (!record) {
    throw new Refusal(
      'This is no site: npm run init -- <name> --framework react-router makes one.',
    );
  }
  if (record.framework === 'react-router') return 'Nothing to do.';
  if (git) await checkCommitted(root);
  if (files.has(configFile)) throw new Refusal(`${configFile} is there already: move it away.`);

  const after = new Map<string, Uint8Array>(files);
  const edited = [...files].filter(([file, content]) => record.files[file] !== digestOf(content));
  const owned = new Set(edited.map(([file]) => file));
  for (const [file, text] of forReactRouter(filesWithTexts(files), owned)) {
    const hasOtherEnds = files.get(file)?.includes(0x0d);
    after.set(file, Buffer.from(hasOtherEnds ? text.replaceAll('\n', '\r\n') : text));
  }
  // A package that stood in for one of Remix's dependencies.
  const manifest = Buffer.from(after.get('package.json') ?? '').toString();
  for (const file of files.keys()) {
    if (/^vendor\/turbo-stream-.*\.tgz$/.test(file) && !manifest.includes(file)) after.delete(file);
  }
  if (files.has(lockFile)) after.set(lockFile, await lockOf(after));
  const digests = {
    ...digestsOf(files, after, record.files),
    [configFile]: digestOf(after.get(configFile) ?? new Uint8Array()),
  };
  const moved = { ...record, framework: 'react-router', files: digests };
  after.set(recordFile, Buffer.from(`${JSON.stringify(moved, null, 2)}\n`));
  const report = [
    `Written  ${changedIn(files, after)} files`,
    git ? `Undo     ${undoing}` : 'Undo     not possible: there is no git repository here',
    'Next     npm install, with Node 22.22 or newer; npm run format; npm test',
  ].join('\n');
  await write({ root, before: files, after, report });
  return report;
}

function changedIn(before: Files, after: Files): number {
  return [...after].filter(([file, content]) => before.get(file) !== content).length;
}
