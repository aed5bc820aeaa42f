/**
 * `gatehouse-mcp new <service>`: creates the folder of your own service, which replaces the example: one tool, its
 * test and its recorded wire format. Renames the package, its program and the documents.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { folder } from './author-folder.ts';
import { faultOfNames } from './service-name.ts';

const sources = path.join(folder, 'src/services');
const skeleton = fileURLToPath(new URL('skeleton/', import.meta.url));

/** With a site: shows how clients start the program, and the package's name there. */
const siteReadme = path.join(folder, '../README.md');
const siteLock = path.join(folder, '../package-lock.json');
const hasSite = isWorkspaceOf(path.join(folder, '../package.json'));

function isWorkspaceOf(manifest: string): boolean {
  if (!existsSync(manifest)) return false;
  const { workspaces } = JSON.parse(readFileSync(manifest, 'utf8')) as { workspaces?: string[] };
  return workspaces?.includes(path.basename(folder)) ?? false;
}

/** Replaces each notation of the skeleton's name. */
function renamed(text: string, service: string): string {
  const pascal = service.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
  const spellings: Record<string, string> = {
    SKELETON_: `${service.toUpperCase()}_`,
    skeleton_: `${service}_`,
    skeletonS: `${pascal.charAt(0).toLowerCase()}${pascal.slice(1)}S`,
    'skeleton.': `${service.replaceAll('_', '-')}.`,
    "'Skeleton": `'${titleOf(service)}`,
    'of Skeleton': `of ${titleOf(service)}`,
    Skeleton: pascal,
  };
  const any = new RegExp(Object.keys(spellings).join('|').replaceAll('.', '\\.'), 'g');
  return text.replaceAll(any, (found) => spellings[found] ?? found);
}

/** Returns a display name: `Acme crm` for `acme_crm`. */
function titleOf(service: string): string {
  return `${service.charAt(0).toUpperCase()}${service.slice(1)}`.replaceAll('_', ' ');
}

async function makeService(service: string): Promise<void> {
  for (const entry of await readdir(skeleton, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const from = path.join(entry.parentPath, entry.name);
    const place = path.join(sources, service, path.relative(skeleton, entry.parentPath));
    const file = path.join(place, renamed(entry.name, service));
    const text = renamed(await readFile(from, 'utf8'), service);
    await mkdir(place, { recursive: true });
    // TypeScript is reformatted, because names differ in length. The recorded wire format must stay as the server
    // writes it.
    await writeFile(file, file.endsWith('.ts') ? await formatted(file, text) : text);
  }
}

/** Replaces the template's name, and the example's settings. */
async function nameEverything(service: string): Promise<void> {
  const name = `${service.replaceAll('_', '-')}-mcp`;
  const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as {
    name: string;
    mcpName: string;
    bin: Record<string, string>;
  };
  const before = manifest.name;
  const [program = 'dist/main.js'] = Object.values(manifest.bin);
  const mcpName = manifest.mcpName.replace(/[^/]*$/, name);
  await edit(path.join(folder, 'package.json'), () =>
    JSON.stringify({ ...manifest, name, mcpName, bin: { [name]: program } }, null, 2).concat('\n'),
  );
  // A workspace link in the lock file: `npm ci` compares its name.
  if (hasSite && existsSync(siteLock)) {
    const bin = { [name]: program };
    await edit(siteLock, (text) => withLinkRenamed(text, before, { name, bin }));
  }
  const settings = (text: string) =>
    text
      .replaceAll('EXAMPLE_API_', `${service.toUpperCase()}_API_`)
      .replaceAll('for the default address, a development token', 'none')
      .replaceAll('http://127.0.0.1:4010', `https://api.${service.replaceAll('_', '-')}.example/v1`)
      .replaceAll('example-development-token', 'a-token-of-the-service');
  const clients = (text: string) =>
    text.replaceAll(/(?<="mcpServers": \{\s*)"example"/g, `"${service}"`);
  await edit(path.join(folder, 'README.md'), (text) =>
    clients(settings(text)).replace(/^# .*/, `# ${titleOf(service)} MCP server`),
  );
  await edit(path.join(folder, '.env.example'), settings);
  if (hasSite && existsSync(siteReadme)) await edit(siteReadme, clients);
  await import('./server-json.ts');
}

function withLinkRenamed(
  lock: string,
  before: string,
  now: { readonly name: string; readonly bin: object },
): string {
  const { packages, ...rest } = JSON.parse(lock) as { packages: Record<string, object> };
  const renamedPackages = Object.entries(packages).map(([place, entry]) => {
    const isWorkspace = place === path.basename(folder);
    const isLink = place === `node_modules/${before}`;
    return [
      isLink ? `node_modules/${now.name}` : place,
      isWorkspace ? { ...entry, ...now } : entry,
    ] as const;
  });
  const sorted = renamedPackages.sort(([a], [b]) => a.localeCompare(b, 'en'));
  return `${JSON.stringify({ ...rest, packages: Object.fromEntries(sorted) }, null, 2)}\n`;
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const text = change(await readFile(file, 'utf8'));
  await writeFile(file, file.endsWith('.md') ? await formatted(file, text) : text);
}

/** Formats a file with this workspace's configuration, if there is one. */
async function formatted(file: string, text: string): Promise<string> {
  const config = await resolveConfig(file);
  return config ? format(text, { ...config, plugins: [], filepath: file }) : text;
}

function nextSteps(service: string): string {
  const at = hasSite ? 'mcp-server/' : '';
  return `
  Made ${at}src/services/${service}/, which is served from now on. ${at}README.md, .env.example and server.json
  name its settings, ${service.toUpperCase()}_API_….

  1. settings.ts: set your service's address. Name each setting in README.md and .env.example, then run
     npm run server-json${hasSite ? ' -w mcp-server' : ''} to update server.json. Tests compare all three.
  2. tools/: write yours, and list them in service.ts, where title and instructions are yours, too. list-items.ts is
     one to copy, ${at}docs/recipes/ has more.
  3. npx vitest run src/services/${service} -u${hasSite ? ', in mcp-server' : ''}: runs the tests, and records in wire/ what clients see.

  Step by step: ${at}README.md.${hasSite ? ' The package has another name: npm install.' : ''}
`;
}

const names = process.argv.slice(2);
const fault = faultOfNames(names, sources);
if (fault === undefined) {
  const [service = ''] = names;
  await makeService(service);
  await nameEverything(service);
  console.log(nextSteps(service));
} else {
  console.error(fault);
  process.exitCode = 1;
}
