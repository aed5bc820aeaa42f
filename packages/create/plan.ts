/** Plans what `init` will do to a repository. A pure function of its arguments. */
import path from 'node:path';
import { titleOf, type Request } from './request/command-line.ts';
import {
  declared,
  slimmer,
  withMcpServerName,
  type Manifest,
  type Unneeded,
} from './edits/manifests.ts';
import {
  featuresIn,
  isIn,
  kinds,
  kindsOf,
  modeWithout,
  withDependents,
  type AuthMode,
  type Feature,
  type FrameworkName,
} from './features.ts';
import { forReactRouter } from './frameworks/react-router.ts';
import { tarballOf, vendorFolder, withVendored } from './vendor.ts';
import { digestsOf, recordIn, type InitRecord } from './record.ts';
import { parseJson, Refusal } from './request/refusal.ts';
import { withoutGone } from './edits/feature-files.ts';
import { withoutLines } from './edits/registries.ts';
import { withoutSections } from './edits/sections.ts';
import { wordsFile, wordsFor, wordsForMode } from './edits/words.ts';

export type Files = ReadonlyMap<string, Uint8Array>;

export interface Plan {
  /** The features that go. */
  gone: readonly string[];
  framework: FrameworkName;
  /** Files and folders that go. */
  places: readonly string[];
  /** The folders among them. */
  folders: string[];
  dependencies: string[];
  /** The tarballs that the site depends on. */
  vendor: string[];
  /** New contents of changed and new files. */
  write: Map<string, string>;
  remove: string[];
  record: (after: Files) => InitRecord;
}

const template = 'template';
const license = { from: 'LICENSE', to: `${vendorFolder}/LICENSE` };
const mcpManifest = 'mcp-server/package.json';
const readme = 'README.md';

/**
 * @param files - The complete repository, by path.
 * @returns null if there is nothing to do.
 * @throws {Refusal} if the request contradicts an earlier one.
 */
export function planFor(files: Files, { name, auth, without, framework }: Request): Plan | null {
  const known = recordIn(files);
  if (known && known.name !== name) {
    throw new Refusal(
      `This site is already named "${known.name}"; to rename it, edit package.json and ${wordsFile}.`,
    );
  }
  const made = (known ?? { framework }).framework ?? 'remix';
  if (framework !== undefined && framework !== made) {
    throw new Refusal(
      `This site was made for ${made}: make it again from a new clone of the template, and cherry-pick your commits onto it.`,
    );
  }
  const mode = modeOf(auth, known);
  const texts = filesWithTexts(files);
  const features = featuresIn(texts);
  const others = kinds.filter((kind) => !kindsOf[mode].includes(kind));
  const wanted = withDependents(features, [template, ...others, ...without]);
  const going = wanted.filter((each) => !known?.removed.includes(each));
  if (going.length === 0) return null;

  const gone = features.filter((feature) => going.includes(feature.name));
  const unneeded = unneededBy(
    gone,
    features.filter((feature) => !gone.includes(feature)),
  );
  const { places } = unneeded;
  const after = new Map(texts);
  const remove = new Set([...files.keys()].filter((file) => isIn(places, file)));
  for (const feature of gone) {
    for (const [file, from] of Object.entries(feature.instead))
      after.set(file, textIn(texts, from));
  }
  for (const feature of gone) {
    for (const [file, headings] of Object.entries(feature.sections)) {
      const text = after.get(file);
      if (text !== undefined) after.set(file, withoutSections(text, headings));
    }
  }
  for (const [file, text] of after) {
    if (remove.has(file)) continue;
    after.set(file, withoutGone(file, withoutLines(file, text, places), places));
  }
  if (!known) {
    checkFree(texts, name);
    makeOwn(after, remove, { name, mode });
    after.set(license.to, textIn(texts, license.from));
  }
  // On later runs, only a placeholder in the owner's settings changes with the mode.
  const words = wordsForMode(after.get(wordsFile) ?? '{}', mode);
  if (words) after.set(wordsFile, json(words));
  for (const file of remove) after.delete(file);
  after.set('package.json', json(slimmer(manifestIn(after), unneeded)));
  if (!known && made === 'react-router') {
    for (const [file, text] of forReactRouter(after)) after.set(file, text);
  }

  const packages = packagesIn(texts);
  const vendor = new Set<string>();
  for (const file of [...after.keys()].filter((file) => /(^|\/)package\.json$/.test(file))) {
    const { manifest, folders } = withVendored(
      path.dirname(file),
      manifestIn(after, file),
      packages,
    );
    if (folders.length > 0) after.set(file, json(manifest));
    for (const folder of folders) vendor.add(tarballOf(packages.get(folder) ?? {}));
  }
  // A later run may have removed what needed a tarball.
  const manifests = [...after].filter(([file]) => /(^|\/)package\.json$/.test(file));
  for (const file of files.keys()) {
    const isTarball = isIn([vendorFolder], file) && file.endsWith('.tgz');
    if (isTarball && !manifests.some(([, text]) => text.includes(file))) remove.add(file);
  }

  const installed = declared(manifestIn(texts));
  return {
    gone: going,
    framework: made,
    places,
    folders: places.filter((place) =>
      [...files.keys()].some((file) => file.startsWith(`${place}/`)),
    ),
    dependencies: unneeded.dependencies.filter((each) => each in installed).sort(),
    vendor: [...vendor].sort(),
    write: new Map([...after].filter(([file, text]) => texts.get(file) !== text)),
    remove: [...remove].filter((file) => files.has(file)),
    record: (contents) => ({
      version: known?.version ?? packages.get('create')?.version ?? '0.0.0',
      name,
      removed: [...(known?.removed ?? []), ...going].sort(),
      ...(made !== 'remix' && { framework: made }),
      files: digestsOf(files, contents, known?.files),
    }),
  };
}

/** What goes with features, unless one that stays lists it too. */
function unneededBy(gone: readonly Feature[], kept: readonly Feature[]): Unneeded {
  const only = (field: 'dependencies' | 'scripts' | 'shared') =>
    gone
      .flatMap((feature) => feature[field])
      .filter((name) => !kept.some((feature) => feature[field].includes(name)));
  return {
    places: [...new Set([...gone.flatMap(({ files }) => files), ...only('shared')])],
    dependencies: [...new Set(only('dependencies'))],
    scripts: only('scripts'),
  };
}

/** The features that `--without` removes, and the names of those that an earlier run removed. */
export function samplesIn(files: Files): { present: Feature[]; names: string[]; isSite: boolean } {
  const present = featuresIn(filesWithTexts(files)).filter((feature) => feature.optional);
  const known = recordIn(files);
  const names = new Set([...present.map(({ name }) => name), ...(known?.removed ?? [])]);
  for (const other of [template, ...kinds]) names.delete(other);
  return { present, names: [...names], isSite: known !== null };
}

/** The first run: names the site. */
function makeOwn(
  after: Map<string, string>,
  remove: Set<string>,
  { name, mode }: { name: string; mode: AuthMode },
) {
  const title = titleOf(name);
  after.set(wordsFile, json(wordsFor(title, mode)));
  after.set(readme, `# ${title}\n\n${textIn(after, readme)}`);
  remove.add(license.from);

  const description = `${title}: a site inside the platform’s page.`;
  after.set(
    'package.json',
    json({ ...manifestIn(after), name, description, license: undefined, repository: undefined }),
  );
  if (!after.has(mcpManifest)) return;
  const server = `${name}-mcp-server`;
  after.set(mcpManifest, json(withMcpServerName(manifestIn(after, mcpManifest), server)));
}

/**
 * The requested mode. By default, a new site uses the platform's accounts, and a later run keeps its mode.
 *
 * @throws {Refusal} if it needs what an earlier run removed.
 */
function modeOf(wanted: AuthMode | undefined, known: InitRecord | null): AuthMode {
  const gone = kinds.filter((kind) => known?.removed.includes(kind));
  const mode = wanted ?? (known ? modeWithout(gone) : undefined) ?? 'platform';
  const missing = gone.find((kind) => kindsOf[mode].includes(kind));
  if (missing) {
    const what = missing === 'platform' ? 'the platform’s sign-in' : 'accounts of the site’s own';
    throw new Refusal(
      `--auth ${mode} needs ${what}, which an earlier run removed: make the site again from a new clone of the template, and cherry-pick your commits onto it.`,
    );
  }
  return mode;
}

/** Rejects a name that npm would resolve to another package of this repository. */
function checkFree(texts: ReadonlyMap<string, string>, name: string): void {
  for (const [file, text] of texts) {
    if (!/(^|\/)package\.json$/.test(file)) continue;
    const manifest = parseJson(file, text) as Manifest;
    const taken = file !== 'package.json' && manifest.name === name;
    if (taken || Object.hasOwn(declared(manifest), name)) {
      throw new Refusal(`"${name}" is the name of a package that is used here; choose another.`);
    }
  }
}

/** The repository's packages, by their folder. A made site has none. */
function packagesIn(texts: ReadonlyMap<string, string>): Map<string, Manifest> {
  return new Map(
    [...texts.keys()].flatMap((file): [string, Manifest][] => {
      const [, folder] = /^packages\/([^/]+)\/package\.json$/.exec(file) ?? [];
      return folder === undefined ? [] : [[folder, manifestIn(texts, file)]];
    }),
  );
}

/** The text files, with LF line endings however git checked them out. */
export function filesWithTexts(files: Files): Map<string, string> {
  return new Map(
    [...files]
      .filter(([, content]) => !content.includes(0))
      .map(([file, content]) => [file, Buffer.from(content).toString().replaceAll('\r\n', '\n')]),
  );
}

function textIn(texts: ReadonlyMap<string, string>, file: string): string {
  const text = texts.get(file);
  if (text === undefined)
    throw new Refusal(`There is no ${file} here: run it in the template’s root.`);
  return text;
}

function manifestIn(texts: ReadonlyMap<string, string>, file = 'package.json'): Manifest {
  return parseJson(file, textIn(texts, file)) as Manifest;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
