/** What a site on React Router 8 has otherwise than one on Remix. Its own part of each package is chosen by its imports. */
import { moduleForReactRouter } from './modules.ts';
import { withoutSections } from '../edits/sections.ts';
import { parseJson } from '../request/refusal.ts';
import type { Manifest } from '../edits/manifests.ts';

/** Released together: each wants exactly the others. */
const version = '8.4.0';

const versions: Record<string, string> = {
  '@react-router/dev': version,
  '@react-router/node': version,
  'react-router': version,
  '@types/react': '^19.2.0',
  '@types/react-dom': '^19.2.0',
  react: '^19.2.0',
  'react-dom': '^19.2.0',
  vite: '^7.3.0',
};

/** By what takes their place; null if nothing does. */
const instead: Record<string, string | null> = {
  '@remix-run/dev': '@react-router/dev',
  '@remix-run/node': '@react-router/node',
  '@remix-run/react': 'react-router',
  '@remix-run/route-config': null,
  '@remix-run/testing': null,
  'turbo-stream': null,
};

const node = '22.22.0';

/** React Router's settings. */
export const configFile = 'react-router.config.ts';

const config = `import type { Config } from '@react-router/dev/config';

export default {
  // Lazy discovery knows the files of the routes that it has discovered; a lost connection needs those of all.
  routeDiscovery: { mode: 'initial' },
  // Each page's module is one file.
  splitRouteModules: false,
} satisfies Config;
`;

/**
 * @param texts - A site's text files, by path.
 * @param edited - Those that its owner wrote or edited. Their words stay: "Remix" may be what the site is about.
 * @returns those that change, and those that are new.
 */
export function forReactRouter(
  texts: ReadonlyMap<string, string>,
  edited: ReadonlySet<string> = new Set(),
): Map<string, string> {
  const changed = new Map<string, string>([[configFile, config]]);
  for (const [file, text] of texts) {
    const to = textFor(file, text, edited.has(file) ? (words) => words : inWords);
    if (to !== text) changed.set(file, to);
  }
  return changed;
}

/** Those of Remix's dependencies. */
const vulnerabilities = 'Known vulnerabilities in dependencies';

function textFor(file: string, text: string, reworded: (words: string) => string): string {
  if (file === 'package.json') return json(manifestFor(parseJson(file, text) as Manifest));
  if (file === 'package-lock.json') return lockFor(text);
  if (file === '.gitignore') return `${text.trimEnd()}\n/.react-router/\n`;
  if (file === '.github/workflows/ci.yml') return text.replace('node: [20, 24]', 'node: [24]');
  if (!/^(app|e2e|docs)\/.*\.(tsx?|md)$|^[^/]+\.(md|ts)$/.test(file)) return text;
  if (!file.endsWith('.md')) return reworded(moduleForReactRouter(file, text));
  const kept = file === 'docs/security.md' ? withoutSections(text, [vulnerabilities]) : text;
  return reworded(
    kept.replaceAll(
      /^(```(tsx?)[^\n]*\n)(.*?)^```$/gms,
      (_, start: string, language: string, code: string) =>
        `${start}${moduleForReactRouter(`example.${language}`, code)}\`\`\``,
    ),
  );
}

function inWords(text: string): string {
  return (
    text
      .replaceAll(/\bRemix 2(\.17)?\b/g, 'React Router 8')
      .replaceAll(/\bReact 18\b/g, 'React 19')
      // Not in the name of a header.
      .replaceAll(/(?<![-\w])Remix(?![-\w])/g, 'React Router')
      // In a table, what gets longer takes the place of spaces.
      .replaceAll(/(@gatehouse\/\w+)\/remix((?:\/\w+)*`)( {7})?/g, '$1/react-router$2')
      .replaceAll('Node 20.19 or newer', 'Node 22.22 or newer')
  );
}

function manifestFor(manifest: Manifest): Manifest {
  const dependenciesOf = (own: Record<string, string> = {}) =>
    Object.fromEntries(
      Object.entries(own)
        .flatMap(([name, range]): [string, string][] => {
          const to = name in instead ? instead[name] : name;
          return to == null ? [] : [[to, versions[to] ?? range]];
        })
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  const { overrides = {}, scripts = {} } = manifest as {
    overrides?: Record<string, Record<string, string> | string>;
  } & Manifest;
  const aliases = overrides['better-auth'];
  const own =
    typeof aliases === 'object' &&
    Object.fromEntries(
      Object.entries(aliases).map(([name, alias]) => [
        name,
        alias.replace(/^npm:react@.*/, `npm:react@${versions['react']}`),
      ]),
    );
  return {
    ...manifest,
    engines: { node: `>=${node}` },
    scripts: Object.fromEntries(
      Object.entries(scripts).map(([name, run]) => [
        name,
        run.replace('remix vite:build', 'react-router build'),
      ]),
    ),
    dependencies: dependenciesOf(manifest.dependencies),
    devDependencies: dependenciesOf(manifest.devDependencies),
    // `JSON.stringify` leaves it out.
    overrides: own ? { 'better-auth': own } : undefined,
  };
}

/** Without what npm would keep in the version that Remix needs. */
function lockFor(text: string): string {
  const lock = parseJson('package-lock.json', text) as { packages: Record<string, object> };
  const isOfRemix = (place: string) => {
    const name = place.replace(/^.*node_modules\//, '');
    return (
      name in versions ||
      /^(@remix-run\/|@react-router\/|react-router|turbo-stream$)/.test(name) ||
      /node_modules\/(@remix-run\/[\w-]+|vite)\/node_modules\//.test(place)
    );
  };
  const packages = Object.entries(lock.packages).filter(([place]) => !isOfRemix(place));
  return json({ ...lock, packages: Object.fromEntries(packages) });
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
