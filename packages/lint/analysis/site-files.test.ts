/** In a site of one auth mode, the messages of the rules name only files that the site has. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** The messages in a folder with the same files, all of them empty, except those that are removed. */
async function messagesWithout(removed: readonly RegExp[]) {
  const folder = await mkdtemp(path.join(tmpdir(), 'site-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const listed = await Promise.all(
    ['app', 'docs'].map(async (top) => {
      const files = await readdir(path.join(repository, top), { recursive: true });
      return files.filter((file) => file.includes('.')).map((file) => path.posix.join(top, file));
    }),
  );
  for (const file of listed.flat()) {
    if (removed.some((pattern) => pattern.test(file))) continue;
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), '');
  }
  const index = new URL('../rules/index.js', import.meta.url).href;
  const program = `import { rules } from ${JSON.stringify(index)};
    const all = Object.entries(rules).flatMap(([name, { meta }]) =>
      Object.entries(meta.messages ?? {}).map(([id, text]) => [name + '/' + id, text]));
    console.log(JSON.stringify(all));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: folder,
  });
  const messages = JSON.parse(String(printed)) as [string, string][];
  const missing = messages.flatMap(([id, text]) =>
    (text.match(/\b(?:app|docs)\/[\w./-]*[\w/]/g) ?? [])
      .filter((file) => !existsSync(path.join(folder, file)))
      .map((file) => `${id}: ${file}`),
  );
  return { messages, missing };
}

/** Rules about code that only the other mode has. */
const cannotReport = /^(identities-apart|profile-stays)\//;

const modes: [mode: string, removed: RegExp[], gone: RegExp][] = [
  ['both', [], /^$/],
  [
    'in-app',
    [
      /^app\/(platform\.server\.|(platform|shell\/platform|studio)\/)/,
      /^docs\/recipes\/(guarded-page|action|streaming-page|resource-route|download|upload|platform-operation|submit-generation|order-history|background-request|flow)\.md/,
    ],
    /checkPlatformUser|requirePlatformUser|createPlatformSdk|SignInButton|SDK|the platform owns/,
  ],
  [
    'platform',
    [/^app\/((accounts|store)\.server\.|(accounts|notes)\/)/, /^docs\/recipes\/account-/],
    /requireAccount|checkAccount/,
  ],
];
// A site that was made in one mode has nothing of the other.
const isMade =
  !existsSync(path.join(repository, 'app/platform')) ||
  !existsSync(path.join(repository, 'app/accounts'));

test.each(isMade ? modes.slice(0, 1) : modes)('%s [W29]', async (_, removed, gone) => {
  const { messages, missing } = await messagesWithout(removed);
  expect(messages.length).toBeGreaterThan(30);
  expect(messages.filter(([, text]) => text.trim() === '')).toEqual([]);
  if (removed.length === 0) {
    expect(missing).toEqual([]);
    return;
  }
  expect(missing.filter((id) => !cannotReport.test(id))).toEqual([]);
  const naming = messages.filter(([id, text]) => !cannotReport.test(id) && gone.test(text));
  expect(naming).toEqual([]);
});
