/** The README's example, run on a file. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import * as packaged from './src/index.ts';

interface Example {
  openStore: () => Promise<unknown>;
  closeStore: () => Promise<void>;
  addPost: (title: string) => Promise<string[]>;
}

test('the example keeps what it was given, also when the store is opened again', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'store-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const readme = await readFile(new URL('README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n(.*?)\n```/s.exec(readme) ?? [];
  const source = example
    .replaceAll(/^import .*\n|^export /gm, '')
    .replace('file:data/site.db', `file:${folder}/data/site.db`);
  const target = ts.ScriptTarget.ES2022;
  const code = ts.transpileModule(`${source}\nreturn { openStore, closeStore, addPost };`, {
    compilerOptions: { target },
  }).outputText;
  const load = compileFunction(code, Object.keys(packaged)) as (...given: unknown[]) => Example;
  const { openStore, closeStore, addPost } = load(...Object.values(packaged));
  for (const titles of [['a'], ['a', 'b']]) {
    await openStore();
    expect((await addPost(titles.at(-1) ?? '')).sort()).toEqual(titles);
    await closeStore();
  }
});
