/** Prettier may be run in this folder, on its own or as part of the site's repository. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { getFileInfo } from 'prettier';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));
const ignorePath = path.join(folder, '.prettierignore');
const isIgnored = async (file: string) =>
  (await getFileInfo(path.join(folder, file), { ignorePath })).ignored;

test('it does not reformat the recorded wire format of tools', async () => {
  expect(await isIgnored('src/services/acme/wire/acme_list_things.json')).toBe(true);
  expect(await isIgnored('src/services/acme/service.ts')).toBe(false);
});
