/** `npm run pack:all [-- folder]`: packs every package into a folder, `packed/` by default. */
import path from 'node:path';
import { readFiles } from '../repository.ts';
import { packagesIn } from './made-once.ts';
import { pack } from './pack.ts';

const [folder = 'packed'] = process.argv.slice(2);
const { files } = await readFiles(process.cwd());
for (const file of await pack(process.cwd(), files, packagesIn(files), folder)) {
  process.stdout.write(`${path.join(folder, file)}\n`);
}
