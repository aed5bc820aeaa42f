/** The README's example, run against a double of the platform. */
import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { z } from 'zod';
import * as server from './src/server/index.ts';
import { json, startPlatformDouble } from './src/testing/upstream-double.ts';

const platform = await startPlatformDouble();

const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');
const [site = '', route = ''] = [...readme.matchAll(/```ts\n(.*?)\n```/gs)].map(([, code = '']) =>
  code.replaceAll(/^import .*\n|^export /gm, ''),
);
const example = `${site.replace('http://127.0.0.1:4001', platform.url)}
return async (context, id) => {
  ${route}
};`;
const target = ts.ScriptTarget.ES2022;
const code = ts.transpileModule(example, { compilerOptions: { target } }).outputText;
const given = { ...server, z };
const load = compileFunction(code, Object.keys(given)) as (
  ...given: unknown[]
) => (context: object, id: string) => Promise<Response>;
const respond = load(...Object.values(given));

test('the example gives a post to a signed-in visitor', async () => {
  platform.on('/user', json(200, { id: 'u1' }));
  platform.on('/posts/p1', json(200, { id: 'p1', title: 'Hello', draft: 'hidden' }));
  expect(await (await respond({}, 'p1')).json()).toEqual({ id: 'p1', title: 'Hello' });
  expect(await (await respond({}, 'p2')).json()).toEqual({ error: 'not_found' });
});

test('the example refuses a signed-out visitor before any operation', async () => {
  platform.on('/user', json(401, { error: 'signed out' }));
  expect((await respond({}, 'p1')).status).toBe(401);
  expect(platform.requests).toHaveLength(1);
});
