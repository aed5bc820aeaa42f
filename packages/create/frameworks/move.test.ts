/** `gatehouse to-react-router`: a site on Remix, with pages of its owner's. */
import { expect, test } from 'vitest';
import { repositoryOf } from '../test-repository.ts';
import { toReactRouter } from './move.ts';

const page =
  "import { data } from '@remix-run/node';\n\nexport const title = 'Remix 2 of a song';\nexport default data;\n";

test('the owner’s modules are rewritten, the record says the framework, and git undoes it', async () => {
  const site = await repositoryOf();
  await site.init('lab');
  await site.write('app/own.ts', page);
  await site.write('vendor/turbo-stream-3.2.1.tgz', 'packed');
  await site.commit();
  const before = await site.files();
  expect(await toReactRouter(site.folder)).toContain('npm install');
  expect(await site.read('app/own.ts')).toBe(page.replace('@remix-run/node', 'react-router'));
  expect(Object.keys(await site.files())).not.toContain('vendor/turbo-stream-3.2.1.tgz');
  expect(JSON.parse(await site.read('.gatehouse.json'))).toMatchObject({
    framework: 'react-router',
    files: { 'react-router.config.ts': expect.any(String) as string },
  });
  await site.commit();
  expect(await toReactRouter(site.folder)).toBe('Nothing to do.');
  await site.git('reset', '--quiet', '--hard', 'HEAD~1');
  expect(await site.files()).toEqual(before);
});

test('the template itself, and uncommitted work, are refused', async () => {
  const site = await repositoryOf();
  await expect(toReactRouter(site.folder)).rejects.toThrow('This is no site');
  await site.init('lab');
  await expect(toReactRouter(site.folder)).rejects.toThrow(/commit/);
});
