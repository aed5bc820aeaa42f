/**
 * What takes npm or the site's own modules to make: the lock and the documents of the settings. A release has them ready
 * for every choice of features, so that a site is created in a moment, and without a registry.
 */
import {
  authModes,
  frameworks,
  keptIn,
  type AuthMode,
  type Feature,
  type FrameworkName,
} from './features.ts';
import { planFor, samplesIn, type Files, type Plan } from './plan.ts';
import { lockFile, preview } from './preview.ts';
import { generatedDocuments, type GeneratedDocuments } from './generated-documents.ts';

const place = 'packages/create/prepared';
/** The name of the sites that are prepared. */
const name = 'framewise';

/** @returns what a release has ready for a plan, by path in the site. */
export function preparedFor(files: Files, plan: Plan, siteName: string): Files {
  const from = `${placeOf(plan)}/`;
  const ready = new Map<string, Uint8Array>();
  for (const [file, content] of files) {
    if (file.startsWith(from)) ready.set(file.slice(from.length), content);
  }
  const lock = ready.get(lockFile);
  if (!lock) return ready;
  const own = renamed(JSON.parse(Buffer.from(lock).toString()) as Lock, siteName);
  return ready.set(lockFile, Buffer.from(`${JSON.stringify(own, null, 2)}\n`));
}

/**
 * @param files - The template's, with all tarballs.
 * @param documents - Of the template's settings.
 */
export async function prepare(files: Files, documents: GeneratedDocuments): Promise<Files> {
  const { present } = samplesIn(files);
  const ready = new Map<string, Uint8Array>();
  const prepareMode = async (auth: AuthMode, framework: FrameworkName) => {
    for (const without of choicesOf(keptIn(present, auth))) {
      const plan = planFor(files, { name, auth, without, framework });
      if (!plan) throw new Error('This is a site, not the template.');
      const after = await preview(files, plan);
      const made: Files = new Map([
        ...(await generatedDocuments(files, plan, () => Promise.resolve(documents))),
        [lockFile, after.get(lockFile) ?? new Uint8Array()],
      ]);
      for (const [file, content] of made) ready.set(`${placeOf(plan)}/${file}`, content);
    }
  };
  // Most of it is waiting for npm.
  await Promise.all(
    authModes.flatMap((auth) => frameworks.map((framework) => prepareMode(auth, framework))),
  );
  return ready;
}

/** Every set of the samples. */
function choicesOf([first, ...rest]: readonly Feature[]): string[][] {
  if (!first) return [[]];
  return choicesOf(rest).flatMap((choice) => [choice, [first.name, ...choice]]);
}

function placeOf({ gone, framework }: Plan): string {
  return `${place}/${framework}/${[...gone].sort().join('+')}`;
}

interface Lock {
  name: string;
  packages: Record<string, { name?: string }>;
}

/** As npm would write it for another name: its own, and that of the MCP server, whose link npm sorts among the packages. */
function renamed(lock: Lock, siteName: string): Lock {
  const own = new Map(
    [name, `${name}-mcp-server`].map((each) => [each, each.replace(name, siteName)]),
  );
  const packages = Object.entries(lock.packages)
    .map(([location, entry]): [string, { name?: string }] => {
      const to = location.replace(/^node_modules\//, '');
      return [
        own.has(to) ? `node_modules/${own.get(to)}` : location,
        own.has(entry.name ?? '') ? { ...entry, name: own.get(entry.name ?? '') ?? '' } : entry,
      ];
    })
    .sort(([one], [other]) => one.localeCompare(other, 'en'));
  return { ...lock, name: siteName, packages: Object.fromEntries(packages) };
}
