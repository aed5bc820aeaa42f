/** The README's example, run on a file. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import { defineStore } from '@gatehouse/store';
import ts from 'typescript';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as packaged from './src/index.ts';

vi.mock('./src/password/cost.ts', () => import('./src/testing/cheap-passwords.ts'));

interface Example {
  openStore: () => Promise<unknown>;
  closeStore: () => Promise<void>;
  enter: (request: Request) => Promise<Response>;
  checkAccount: (args: packaged.AccountArgs) => Promise<packaged.AccountGuard>;
}

test('the example signs up and in, and its guard knows the account by the cookie', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'accounts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const readme = await readFile(new URL('README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n(.*?)\n```/s.exec(readme) ?? [];
  const source = example
    .replaceAll(/^import .*\n|^export /gm, '')
    .replace('file:data/site.db', `file:${folder}/site.db`);
  const target = ts.ScriptTarget.ES2022;
  const code = ts.transpileModule(
    `${source}\nreturn { openStore, closeStore, enter, checkAccount };`,
    { compilerOptions: { target } },
  ).outputText;
  const given = { ...packaged, defineStore };
  const load = compileFunction(code, Object.keys(given)) as (...given: unknown[]) => Example;
  const { openStore, closeStore, enter, checkAccount } = load(...Object.values(given));
  await openStore();
  onTestFinished(closeStore);

  const request = (headers = {}) => new Request('https://site.example/', { headers });
  expect(await checkAccount({ request: request(), context: {} })).toEqual({
    ok: false,
    reason: 'signed-out',
  });
  const entered = await enter(request());
  expect(entered.status).toBe(303);
  const [cookie = ''] = (entered.headers.get('set-cookie') ?? '').split(';');
  expect(cookie).toContain(`${packaged.sessionCookieName}=`);
  expect(await checkAccount({ request: request({ cookie }), context: {} })).toMatchObject({
    ok: true,
    account: { name: 'Ada', email: 'ada@example.org', emailVerified: false },
  });
});
