/** `npm run pack:all [-- folder]`: packs every package into a folder, `packed/` by default. */
import path from 'node:path';
import { pack } from './pack.ts';

export const published = [
  'frame',
  'lint',
  'mcp',
  'platform',
  'proof',
  'server',
  'simulator',
  'turbo-stream',
];

const [folder = 'packed'] = process.argv.slice(2);
for (const { file } of await pack(process.cwd(), published, folder)) {
  process.stdout.write(`${path.join(folder, file)}\n`);
}
