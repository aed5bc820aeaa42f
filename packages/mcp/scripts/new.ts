/**
 * `gatehouse-mcp new <service> [folder]`: makes an author's folder, from the starter of the package. A folder that still
 * has the example's service becomes that of the named one, and keeps its package's name.
 */
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { faultOfNew, renamed } from './new-names.ts';

const starter = fileURLToPath(new URL('../examples/starter/', import.meta.url));

const files = [
  ...['package.json', 'tsconfig.json', 'main.ts', 'service.ts', 'settings.ts'],
  ...['tools/search-users.ts', 'tools/search-users.test.ts', 'resources/documents.ts'],
  ...['.env.example', 'README.md'],
];
/** An existing folder keeps them. */
const ofPackage = ['package.json', 'tsconfig.json', 'main.ts'];

const [service = '', given, ...others] = process.argv.slice(2);
/** In a folder that has a service, this one. */
const place = given ?? (existsSync('service.ts') ? '.' : `${service.replaceAll('_', '-')}-mcp`);
const target = path.resolve(place);
const isExample = await hasExample();

/** Whether the folder's service is the starter's. */
async function hasExample(): Promise<boolean> {
  const file = path.join(target, 'service.ts');
  return existsSync(file) && (await readFile(file, 'utf8')).includes("name: 'example_mcp'");
}

/** Source code names differ in length, so that lines break elsewhere. */
async function written(file: string, text: string): Promise<void> {
  const to = path.join(target, file);
  await mkdir(path.dirname(to), { recursive: true });
  const options = { parser: 'typescript', printWidth: 100, singleQuote: true };
  await writeFile(to, file.endsWith('.ts') ? await format(text, options) : text);
}

const isTaken = !isExample && existsSync(target) && readdirSync(target).length > 0;
const fault =
  faultOfNew(service, others) ??
  (isTaken ? `${path.basename(target)} is there already, with another service.` : undefined);
if (fault === undefined) {
  for (const file of files) {
    if (isExample && ofPackage.includes(file)) continue;
    // npm publishes no file of this name in a folder that has a package of its own.
    await written(
      file,
      renamed(await readFile(path.join(starter, file), 'utf8'), service, path.basename(target)),
    );
  }
  console.log(`
  Made ${path.basename(target)}/, the folder of ${service}_mcp.

  1. settings.ts: set the address of your service.
  2. tools/: write yours as search-users.ts is written, and list them in service.ts.
  3. npm install && npm test, then npm run dev.

  Each function: docs/reference.md of @gatehouse/mcp; more to copy: its docs/recipes/ and examples/.
`);
} else {
  console.error(fault);
  process.exitCode = 1;
}
