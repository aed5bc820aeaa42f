/** A site whose accounts are all its own tells nobody about a platform: in pages, errors and the log. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyRepository, init, type MadeSite } from './made-site';

let site: MadeSite;

beforeAll(async () => {
  site = await copyRepository();
  await init(site, 'orchard', '--auth', 'in-app');
}, 300_000);
afterAll(() => site.remove());

/** What the code may show: its strings and the texts in its elements, but no comments. */
function textsIn(code: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)) {
      texts.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('code.tsx', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return texts;
}

test('no text of the pages and the server of an in-app site names the platform', async () => {
  const packages = ['accounts', 'frame', 'server', 'store'];
  const folders = packages.map((name) => `node_modules/@gatehouse/${name}/src`);
  const files = await site.run('find', 'app', ...folders, '-type', 'f');
  const shown: Record<string, string[]> = {};
  const read: string[] = [];
  for (const file of files.trim().split('\n')) {
    // Its names of the two kinds of accounts are those of a site with both.
    if (!/\.(tsx?|js)$/.test(file) || /\.(test|d)\.|\/testing\/|site\.config/.test(file)) continue;
    const texts = textsIn(await readFile(path.join(site.folder, file), 'utf8'));
    read.push(...texts);
    // Sentences: neither a key nor the name of a setting.
    const named = texts.filter((text) => /\bplatform\b/i.test(text) && /\S\s+\S/.test(text));
    if (named.length > 0) shown[file] = named;
  }
  expect(read).toContain('Wrong password.');
  expect(shown).toEqual({});
});

/** Prints what the proof advises on each finding. */
const adviceOfProof = `
import { adviceOn, findingMeanings, type FindingCode } from '@gatehouse/proof';

const codes = Object.keys(findingMeanings) as FindingCode[];
console.log(JSON.stringify(codes.map((code) => adviceOn(code, 'in-app').remedy)));
`;

test('what the proof advises in an in-app site, the site has [W29]', async () => {
  await site.write('advice.ts', adviceOfProof);
  const remedies = JSON.parse(await site.run('npx', 'tsx', 'advice.ts')) as string[];
  const quoted = remedies.flatMap((remedy) =>
    [...remedy.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code),
  );
  // Functions and components.
  const names = new Set(
    quoted.flatMap((code) => /^[a-z]+[A-Z]\w+|^[A-Z]\w+[a-z]$/.exec(code) ?? []),
  );
  expect([...names]).toContain('requireAccount');
  const places = ['app', 'node_modules/@gatehouse', 'node_modules/@types/react'];
  const missing: string[] = [];
  for (const name of names) {
    const found = await site
      .run('git', 'grep', '--no-index', '-lw', name, '--', ...places)
      .catch(() => '');
    if (found === '') missing.push(name);
  }
  expect(missing).toEqual([]);
});
