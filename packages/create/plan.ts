/** Plans what `init` will do to a repository. A pure function of its arguments. */
import path from 'node:path';
import { titleOf, type Request } from './request/command-line.ts';
import { besideOf, declared, unneededDependencies } from './edits/dependencies.ts';
import {
  parseJson,
  withoutEntries,
  withoutFolders,
  withoutSteps,
  type Manifest,
} from './edits/manifests.ts';
import { withoutAuthMarks, withoutMarked } from './edits/marks.ts';
import { vendorFolder, withVendored, withVendorFolder } from './packing/vendor.ts';
import { authModes, isIn, modeParts, parts, type AuthMode, type Part } from './request/parts.ts';
import { digestsOf, recordFile, type InitRecord } from './record.ts';
import { Refusal } from './request/refusal.ts';
import { withDescription, withName, withSiteWords } from './edits/site-words.ts';
import { checkImports, withoutReexports } from './edits/registries.ts';
import { installedLinks, withoutGoneFiles, withoutRows } from './edits/tables.ts';

export type Files = ReadonlyMap<string, Uint8Array>;

export interface Plan {
  parts: Part[];
  folders: string[];
  dependencies: string[];
  /** Folders in `packages/`, whose tarballs the site depends on. */
  vendor: string[];
  /** New contents of changed and new files, before formatting. */
  write: Map<string, string>;
  remove: string[];
  record: (after: Files) => InitRecord;
}

/** Files that describe the template, to be removed or replaced. */
const ownFolder = 'packages/create';
const siteReadme = `${ownFolder}/site-readme.md`;
const license = { from: 'LICENSE', to: `${vendorFolder}/LICENSE` };
const changelog = 'CHANGELOG.md';
const config = 'app/site.config.ts';
const mcpManifest = 'mcp-server/package.json';
/** Contains the package's name and its entry in the MCP registry. */
const mcpRegistryEntry = 'mcp-server/server.json';
const compilerOptions = 'tsconfig.json';
const image = 'Dockerfile';

/**
 * @param files - The complete repository, by path.
 * @returns null if there is nothing to do.
 * @throws {Refusal} if the request contradicts an earlier one.
 */
export function planFor(files: Files, { name, auth, without }: Request): Plan | null {
  const known = recordOf(files);
  if (known && known.name !== name) {
    throw new Refusal(
      `This site is already named "${known.name}"; to rename it, edit package.json and ${config}.`,
    );
  }
  const mode = modeOf(auth, known);
  const wanted = new Set<Part>(['template', ...modeParts[mode].drops, ...without]);
  const going = [...wanted].filter((part) => !known?.removed.includes(part));
  if (going.length === 0) return null;

  const texts = textsOf(files);
  const places = going.flatMap((part) => [...parts[part]]);
  const folders = places.filter((place) => path.posix.extname(place) === '');
  const after = new Map(texts);
  const remove = new Set([...files.keys()].filter((file) => isIn(places, file)));
  for (const [file, text] of texts) {
    if (remove.has(file)) continue;
    const marked = withoutMarked(file, text, going);
    // With one kind of account left, its marks have no purpose.
    const rest = marked !== null && mode !== 'both' ? withoutAuthMarks(marked) : marked;
    if (rest === null) remove.add(file);
    else if (file.endsWith('.md')) after.set(file, installedLinks(withoutRows(rest, places)));
    else after.set(file, withoutReexports(file, rest, places));
  }
  if (!known) {
    checkFree(texts, name);
    makeOwn(after, remove, { name, mode, going });
    // An interrupted earlier run may have moved it already.
    if (!texts.has(license.to)) after.set(license.to, textIn(texts, license.from));
  }
  // On later runs, only a placeholder in the owner's settings changes with the mode.
  const settings = after.get(config);
  if (settings !== undefined) after.set(config, withDescription(settings, mode));
  for (const file of remove) after.delete(file);
  checkImports(after, places);

  const packages = packagesIn(texts);
  // A made site has no packages to read it from.
  const beside = known?.beside ?? besideOf(packages, texts);
  const gone = unneededDependencies(texts, after, beside);
  for (const [file, text] of after) {
    if (file === compilerOptions) after.set(file, withoutEntries(text, places));
    if (file === 'package.json') {
      after.set(file, json(withoutFolders(parseJson(file, text), places)));
    }
    const dependencies = gone.get(file);
    if (file === 'package.json' || dependencies) {
      after.set(file, json(slimmer(manifestIn(after, file), places, dependencies)));
    }
    if (/(^|\/)docs\/contract\.md$/.test(file)) {
      // The site's map and the tool server's each name tests of their own.
      const kept = [...after].filter(([one]) => isIn(parts.mcp, one) === isIn(parts.mcp, file));
      after.set(file, withoutGoneFiles(text, remove, new Map(kept)));
    }
  }

  const vendor = new Set<string>();
  for (const file of [...after.keys()].filter((file) => /(^|\/)package\.json$/.test(file))) {
    const { manifest, folders } = withVendored(
      path.dirname(file),
      manifestIn(after, file),
      packages,
    );
    if (folders.length > 0) after.set(file, json(manifest));
    for (const folder of folders) vendor.add(folder);
  }
  // A later run may have removed what needed a tarball.
  const manifests = [...after].filter(([file]) => /(^|\/)package\.json$/.test(file));
  for (const file of files.keys()) {
    const isTarball = isIn([vendorFolder], file) && file.endsWith('.tgz');
    if (isTarball && !manifests.some(([, text]) => text.includes(file))) remove.add(file);
  }
  const steps = after.get(image);
  if (vendor.size > 0 && steps !== undefined) after.set(image, withVendorFolder(steps));

  return {
    parts: going,
    folders,
    dependencies: [...gone.values()].flat(),
    vendor: [...vendor].sort(),
    write: new Map([...after].filter(([file, text]) => texts.get(file) !== text)),
    // This program goes last, so that an interrupted run can be repeated.
    remove: [...remove]
      .filter((file) => files.has(file))
      .sort((a, b) => Number(isIn([ownFolder], a)) - Number(isIn([ownFolder], b))),
    record: (contents) => ({
      version: known?.version ?? manifestIn(texts).version ?? '0.0.0',
      name,
      removed: [...(known?.removed ?? []), ...going],
      ...(Object.keys(beside).length > 0 && { beside }),
      files: digestsOf(files, contents, known?.files),
    }),
  };
}

/** The first run: names the site, and removes what describes the template. */
function makeOwn(
  after: Map<string, string>,
  remove: Set<string>,
  { name, mode, going }: { name: string; mode: AuthMode; going: Part[] },
) {
  const title = titleOf(name);
  for (const [file, text] of after) after.set(file, withName(file, text, title));
  after.set(config, withSiteWords(textIn(after, config), title, mode));
  const readme = withoutMarked(siteReadme, textIn(after, siteReadme), going) ?? '';
  const own = mode === 'both' ? readme : withoutAuthMarks(readme);
  after.set('README.md', own.replaceAll('TITLE', title));
  for (const file of [license.from, changelog]) remove.add(file);

  const description = `${title}: a site inside the platform’s page.`;
  after.set('package.json', json({ ...manifestIn(after), name, description, license: undefined }));
  if (after.has(mcpManifest)) {
    const renamed = withMcpServerRenamed(`${name}-mcp-server`);
    for (const file of [mcpManifest, mcpRegistryEntry]) {
      if (after.has(file)) after.set(file, renamed(textIn(after, file)));
    }
  }
}

/**
 * npm uses the full name; the registry's name has a namespace before a slash instead of a scope. The template's
 * author is removed.
 */
function withMcpServerRenamed(name: string): (text: string) => string {
  const unscoped = name.replace(/^@.+\//, '');
  return (text) =>
    text
      .replace(/(?<="(?:name|mcpName)": "[^"/]+\/)mcp-server(?=")/, unscoped)
      .replaceAll(/(?<="(?:name|identifier)": ")mcp-server(?=")/g, name)
      .replace(/^ *"author": "The Gatehouse authors",\n/m, '');
}

/**
 * The requested mode. By default, a new site uses the platform's accounts, and a later run keeps its mode.
 *
 * @throws {Refusal} if it needs what an earlier run removed.
 */
function modeOf(asked: AuthMode | undefined, known: InitRecord | null): AuthMode {
  const gone = kinds.filter((kind) => known?.removed.includes(kind));
  const now = authModes.find((mode) =>
    kinds.every((kind) => keeps(mode, kind) !== gone.includes(kind)),
  );
  const mode = asked ?? (known ? now : undefined) ?? 'platform';
  const missing = gone.find((part) => keeps(mode, part));
  if (missing) {
    const what = missing === 'platform' ? 'the platform’s sign-in' : 'accounts of the site’s own';
    throw new Refusal(
      `--auth ${mode} needs ${what}, which an earlier run removed: make the site again from a new clone of the template, and cherry-pick your commits onto it.`,
    );
  }
  return mode;
}

const kinds = ['platform', 'accounts'] as const;

function keeps(mode: AuthMode, part: Part): boolean {
  return modeParts[mode].keeps.includes(part);
}

function slimmer(manifest: Manifest, folders: string[], dependencies: string[] = []): Manifest {
  const rest = (of: Record<string, string>) =>
    Object.fromEntries(Object.entries(of).filter(([name]) => !dependencies.includes(name)));
  return Object.fromEntries(
    Object.entries(manifest).map(([field, value]) => {
      if (field === 'scripts') return [field, withoutSteps(manifest.scripts ?? {}, folders)];
      // `JSON.stringify` leaves it out.
      if (Array.isArray(value) && value.length === 0) return [field, undefined];
      const isOfPackages = /dependencies$/i.test(field) || field === 'overrides';
      return [field, isOfPackages ? rest(value as Record<string, string>) : value];
    }),
  );
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

function recordOf(files: Files): InitRecord | null {
  const content = files.get(recordFile);
  if (!content) return null;
  return parseJson(recordFile, Buffer.from(content).toString()) as InitRecord;
}

/** The text files, with LF line endings however git checked them out. */
function textsOf(files: Files): Map<string, string> {
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
