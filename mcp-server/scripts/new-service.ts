/**
 * `npm run mcp:new -- <service>`: a folder for another service, made of the example's and renamed
 * throughout, with its tests. It is served in the example's place, and works at once, against
 * `npm run mcp:example-service`.
 */
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { faultOfNames } from './service-name.ts';

const sources = fileURLToPath(new URL('../src/services', import.meta.url));
const main = path.join(sources, '../main.ts');

/** They list the settings of the service that is served. */
const readme = fileURLToPath(new URL('../README.md', import.meta.url));
const siteSettings = fileURLToPath(new URL('../../.env.example', import.meta.url));
/** False where this workspace stands alone. */
const hasSite = existsSync(siteSettings);

/** Of the service that is asked, the example's and, at first, the new one: these stay. */
const shared =
  'startExampleService|ExampleServiceOptions|example-service|example-development-token';

/** Each way in which the example's files write its name, and how they would write another's. */
function renamed(text: string, service: string): string {
  const pascal = service.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
  const spellings: Record<string, string> = {
    ' Example ': ` ${titleOf(service)} `,
    "'Example ": `'${titleOf(service)} `,
    EXAMPLE_: `${service.toUpperCase()}_`,
    Example: pascal,
    example_: `${service}_`,
    'example-': `${service.replaceAll('_', '-')}-`,
    exampleS: `${pascal.charAt(0).toLowerCase()}${pascal.slice(1)}S`,
  };
  // Not the `Examples:` of a description.
  const any = new RegExp(`${shared}|(?:${Object.keys(spellings).join('|')})(?!s\\b)`, 'g');
  return text.replaceAll(any, (found) => spellings[found] ?? found);
}

/** `acme_crm` as a person reads it: `Acme crm`. */
function titleOf(service: string): string {
  return `${service.charAt(0).toUpperCase()}${service.slice(1)}`.replaceAll('_', ' ');
}

/** The template's own rules are proved by the example; a service's tests prove the service. */
function withoutRules(text: string): string {
  const ids = String.raw`\[M\d\d(?: M\d\d)*\]`;
  return text.replaceAll(new RegExp(` ${ids}|(?<=['"\`])${ids} `, 'g'), '');
}

/** Whoever names an address of their own takes the development token out; the example proves what it does. */
function withoutDevelopmentToken(text: string): string {
  return text
    .split(/^(?=test[.(])/m)
    .filter((block, index) => index === 0 || !/development ?token/i.test(block))
    .join('')
    .replace('developmentToken, ', '');
}

async function makeService(service: string): Promise<void> {
  const folder = path.join(sources, service);
  await cp(path.join(sources, 'example'), folder, { recursive: true });
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    let text = withoutRules(renamed(await readFile(file, 'utf8'), service));
    if (entry.name === 'settings.test.ts') text = withoutDevelopmentToken(text);
    // Other names have other lengths. The snapshots are as the server writes them.
    await writeFile(file, file.endsWith('.ts') ? await formatted(file, text) : text);
    await rename(file, path.join(entry.parentPath, renamed(entry.name, service)));
  }
}

/**
 * The example gives its place up, in `main.ts` and in the documents; another service keeps it.
 *
 * @returns whether the new one is served.
 */
async function serve(service: string): Promise<boolean> {
  const text = await readFile(main, 'utf8');
  if (!text.includes("'./services/example/service.ts'")) return false;
  await writeFile(
    main,
    renamed(text, service).replaceAll('./services/example/', `./services/${service}/`),
  );
  for (const file of hasSite ? [readme, siteSettings] : [readme]) {
    const listed = (await readFile(file, 'utf8')).replaceAll('EXAMPLE_API_', `${prefix(service)}_`);
    await writeFile(file, file.endsWith('.md') ? await formatted(file, listed) : listed);
  }
  return true;
}

const prefix = (service: string) => `${service.toUpperCase()}_API`;

/** As the rest of this workspace is, where it has a configuration for that. */
async function formatted(file: string, text: string): Promise<string> {
  const config = await resolveConfig(file);
  return config ? format(text, { ...config, plugins: [], filepath: file }) : text;
}

function nextSteps(service: string, isServed: boolean): string {
  const [create, settings] = [`createExampleService`, `exampleSettings`].map((name) =>
    renamed(name, service),
  );
  const [folder, example, documents, together] = hasSite
    ? [
        'mcp-server/',
        'npm run mcp:example-service',
        'mcp-server/README.md and .env.example',
        'name',
      ]
    : ['', 'npm run example-service', 'README.md', 'names'];
  const place = isServed
    ? `${folder}src/main.ts serves it.
  ${documents} ${together} its settings, ${prefix(service)}_….
  It still asks the example service: ${example}, and it works.`
    : `${folder}src/main.ts serves another. To serve this one, import ${create} from
  './services/${service}/service.ts' and ${settings} from './services/${service}/settings.ts' there, and list its settings,
  ${prefix(service)}_…, in ${documents}.`;
  return `
  Made ${folder}src/services/${service}/. ${place}

  1. settings.ts: your service's address as developmentUrl, under a name of your own, and no
     developmentToken; of the line that used both, \`token,\` stays. ${documents}
     ${together} the old address too, and each setting: tests compare them.
  2. tools/: write yours, list them in service.ts, and delete the others with their tests. So with
     prompts/ and resources/. title and instructions in service.ts are yours too.
  3. npx vitest run src/services/${service} -u${hasSite ? ', in mcp-server' : ''}: the tests, and what clients see, on the record.

  Step by step: ${folder}README.md. src/services/example/ stays: tests are made of it, and no package holds it.
`;
}

const names = process.argv.slice(2);
const fault = faultOfNames(names, sources);
if (fault === undefined) {
  const [service = ''] = names;
  await makeService(service);
  console.log(nextSteps(service, await serve(service)));
} else {
  console.error(fault);
  process.exitCode = 1;
}
