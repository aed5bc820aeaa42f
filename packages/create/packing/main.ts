/** `npm run pack:all [-- folder]`: packs every package into a folder, `packed/` by default. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readFiles } from '../repository.ts';
import { pack } from './pack.ts';

const [folder = 'packed'] = process.argv.slice(2);
const packages = await readdir('packages', { withFileTypes: true });
const names = packages.filter((entry) => entry.isDirectory()).map(({ name }) => name);
const { files } = await readFiles(process.cwd());
for (const file of await pack(process.cwd(), files, names, folder)) {
  process.stdout.write(`${path.join(folder, file)}\n`);
}
