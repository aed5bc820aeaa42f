/**
 * `npm run mcp:new -- <service>`: a folder for another service, made of the example's and renamed
 * throughout, with its tests. It works at once, against `npm run mcp:example-service`.
 */
import { cp, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { faultOfNames } from './service-name.ts';

const sources = fileURLToPath(new URL('../src', import.meta.url));

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

async function makeService(service: string): Promise<void> {
  const folder = path.join(sources, service);
  await cp(path.join(sources, 'example'), folder, { recursive: true });
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const text = withoutRules(renamed(await readFile(file, 'utf8'), service));
    // Other names have other lengths. The snapshots are as the server writes them.
    await writeFile(file, file.endsWith('.ts') ? await formatted(file, text) : text);
    await rename(file, path.join(entry.parentPath, renamed(entry.name, service)));
  }
}

/** As the rest of this workspace is, where it has a configuration for that. */
async function formatted(file: string, text: string): Promise<string> {
  const config = await resolveConfig(file);
  return config ? format(text, { ...config, plugins: [], filepath: file }) : text;
}

function nextSteps(service: string): string {
  const [create, settings] = [`createExampleService`, `exampleSettings`].map((name) =>
    renamed(name, service),
  );
  const variable = `${service.toUpperCase()}_API`;
  return `
  Made mcp-server/src/${service}/. It still asks the example service, until you say otherwise.

  1. In mcp-server/src/main.ts, import ${create} from './${service}/service.ts' and
     ${settings} from './${service}/settings.ts', in place of the example's two.
  2. Set ${variable}_BASE_URL and ${variable}_TOKEN. Take the development address and token out of
     mcp-server/src/${service}/settings.ts.
  3. Write your tools in mcp-server/src/${service}/tools/, list them in service.ts, delete the others.
  4. npx vitest run src/${service} -u, in mcp-server: the tests, and what clients see, on the record.
`;
}

const names = process.argv.slice(2);
const fault = faultOfNames(names, sources);
if (fault === undefined) {
  const [service = ''] = names;
  await makeService(service);
  console.log(nextSteps(service));
} else {
  console.error(fault);
  process.exitCode = 1;
}
