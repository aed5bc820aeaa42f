/**
 * `npm run init -- <name> [--auth MODE] [--without studio,notes,mcp]`: turns a clone of the template into a
 * site.
 */
import { readRequest } from './request/command-line.ts';
import { planFor, samplesIn } from './plan.ts';
import { recordFile } from './record.ts';
import { Refusal } from './request/refusal.ts';
import { settingDocuments, settingsRegistry } from './setting-documents.ts';
import { checkCommitted, preview, readFiles, write } from './repository.ts';

try {
  await init(process.cwd(), process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function init(root: string, argv: string[]): Promise<void> {
  const { files, git } = await readFiles(root);
  const request = readRequest(argv, samplesIn(files));
  if (typeof request === 'string') {
    console.log(request);
    return;
  }
  const plan = planFor(files, request);
  if (!plan) {
    console.log('Nothing to do.');
    return;
  }
  if (git) await checkCommitted(root);
  const registry = files.get(settingsRegistry);
  if (registry) {
    const changed = plan.write.get(settingsRegistry);
    const text = changed ?? Buffer.from(registry).toString();
    const documents = settingDocuments(root, text).catch((error: unknown) => {
      if (changed !== undefined) throw error;
      // An interrupted run has removed the packages, and written the documents before.
      return [];
    });
    for (const [file, document] of await documents) plan.write.set(file, document);
  }
  const after = await preview(root, files, plan);
  const left = await write(root, files, after, plan).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    const way = git ? 'Undo it with git stash --include-untracked -- .' : 'Fix that';
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(`The run failed halfway: ${reason}. ${way}, then run it again.`);
  });

  const removed = [...plan.folders.map((folder) => `${folder}/`), ...plan.dependencies];
  console.log(`Removed  ${removed.join(', ')}`);
  console.log(`Written  ${plan.write.size} files, and ${recordFile}, which records their state`);
  for (const file of left) console.log(`Left     ${file} (not tracked by git)`);
  console.log(
    git
      ? 'Undo     git stash --include-untracked -- .'
      : 'Undo     not possible: there is no git repository here',
  );
  console.log('Next     npm install, commit, npm test');
}
