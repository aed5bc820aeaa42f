/** The features of a site, each as its `feature.json` describes it: what goes when the feature goes. */
import path from 'node:path';
import { parseJson, Refusal } from './request/refusal.ts';

export interface Feature {
  name: string;
  /** What a question says of it. */
  about: string;
  /** Features without which this one goes, too. */
  needs: string[];
  /** Whether `--without` removes it. The kinds of accounts go by `--auth`, and the template always. */
  optional: boolean;
  /**
   * What else is its own, beside the folder of its `feature.json` and those of its name in `docs/`, `docs/recipes/`,
   * `e2e/flows/` and `app/testing/`.
   */
  files: string[];
  /** Files that other features list here, too: they go with the last of them. */
  shared: string[];
  /** Dependencies in the site's `package.json`. One that two features list goes with the last of them. */
  dependencies: string[];
  /** Scripts in the site's `package.json`. */
  scripts: string[];
  /** Headings of its sections, by document. */
  sections: Record<string, string[]>;
  /** What takes the place of a file, by that file's path. */
  instead: Record<string, string>;
}

const nothing: Omit<Feature, 'name'> = {
  about: '',
  needs: [],
  optional: false,
  files: [],
  shared: [],
  dependencies: [],
  scripts: [],
  sections: {},
  instead: {},
};

/** Folders in which a feature has one of its own. */
const homes = ['docs', 'docs/recipes', 'e2e/flows', 'app/testing'];

/** @throws {Refusal} naming a `feature.json` that is not valid JSON, or has a field of another name. */
export function featuresIn(texts: ReadonlyMap<string, string>): Feature[] {
  return [...texts]
    .filter(([file]) => path.posix.basename(file) === 'feature.json')
    .map(([file, text]) => {
      const given = parseJson(file, text) as Partial<Feature>;
      const folder = path.posix.dirname(file);
      const known = { ...nothing, name: path.posix.basename(folder) };
      const unknown = Object.keys(given).find((field) => !(field in known));
      if (unknown !== undefined) {
        throw new Refusal(`${file} has a field "${unknown}", which no feature has.`);
      }
      const feature = { ...known, ...given };
      const named = homes.map((home) => `${home}/${feature.name}`);
      return { ...feature, files: [folder, ...named, ...feature.files] };
    });
}

/** The wanted features, and those that need one of them. */
export function withDependents(features: readonly Feature[], wanted: readonly string[]): string[] {
  const more = features
    .filter(
      ({ name, needs }) => !wanted.includes(name) && needs.some((need) => wanted.includes(need)),
    )
    .map(({ name }) => name);
  return more.length === 0 ? [...wanted] : withDependents(features, [...wanted, ...more]);
}

/** Whose accounts people sign in to: the platform's, the site's own, or both (W29). */
export const authModes = ['platform', 'in-app', 'both'] as const;
export type AuthMode = (typeof authModes)[number];

/** What a site's routes and pages are written for. */
export const frameworks = ['remix', 'react-router'] as const;
export type FrameworkName = (typeof frameworks)[number];

/** The features that are a kind of accounts. */
export const kinds = ['platform', 'accounts'] as const;

/** The kinds of accounts that a mode keeps. */
export const kindsOf: Record<AuthMode, readonly string[]> = {
  platform: ['platform'],
  'in-app': ['accounts'],
  both: kinds,
};

/** The mode of a site from which features were removed. */
export function modeWithout(removed: readonly string[]): AuthMode | undefined {
  return authModes.find((mode) =>
    kinds.every((kind) => kindsOf[mode].includes(kind) !== removed.includes(kind)),
  );
}

/** Those of the features that a mode keeps. */
export function keptIn(features: readonly Feature[], mode: AuthMode): Feature[] {
  const others = kinds.filter((kind) => !kindsOf[mode].includes(kind));
  const gone = withDependents(features, others);
  return features.filter(({ name }) => !gone.includes(name));
}

/** Whether a file is one of the given files, or in one of the given folders. */
export function isIn(places: readonly string[], file: string): boolean {
  return places.some((place) => file === place || file.startsWith(`${place}/`));
}
