/** Joins a site's definition of what its features and its author say. */
import type { AuthMode, SiteDefinition } from './definition.ts';
import type { Resource } from './resources.ts';

/** What a feature says about the site under test: a line of the registry `e2e/features.ts`. */
export interface SiteFeature extends Pick<
  SiteDefinition<never>,
  'accounts' | 'addresses' | 'prepare' | 'published' | 'requests' | 'settings'
> {
  /** Whose accounts it brings. */
  auth?: Exclude<AuthMode, 'both'>;
  /** What the simulated platform has of it: `resourcesOf`. */
  resources?: Readonly<Record<string, Resource>>;
}

/** Settings as `app/settings.server.ts` declares them. */
type SettingGroups = Readonly<Record<string, Readonly<Record<string, { name: string }>>>>;

type NameIn<Setting> = Setting extends { name: infer Name extends string } ? Name : never;
type NameOf<Groups> = {
  [Group in keyof Groups]: NameIn<Groups[Group][keyof Groups[Group]]>;
}[keyof Groups];

interface SiteParts<State, Name extends string, Groups> extends Omit<
  SiteDefinition<State, Name>,
  'settings'
> {
  /** The registry: its `auth` is the default for that of the site, and the rest is joined with the site's own. */
  features?: Readonly<Record<string, SiteFeature>>;
  /** What the site declares: no other variable may be in `settings`. */
  declaredSettings?: Groups;
  settings?: Readonly<Partial<Record<NameOf<Groups>, string>>>;
}

/**
 * Type-checks a site's definition, joins it with what its features say, and infers the names of its operations.
 *
 * @throws {Error} one sentence that names a setting which the site does not declare.
 */
export function defineSite<
  State,
  const Name extends string,
  const Groups extends SettingGroups = SettingGroups,
>({
  features = {},
  declaredSettings,
  ...site
}: SiteParts<State, Name, Groups>): SiteDefinition<State, Name> {
  // The platform's state has what each feature declares of it.
  const parts = [...Object.values(features), site] as SiteDefinition<State>[];
  const settings = Object.assign({}, ...parts.map((part) => part.settings)) as Record<
    string,
    string
  >;
  if (declaredSettings) checkDeclared(settings, declaredSettings);
  const kinds = new Set(parts.flatMap(({ auth }) => auth ?? []));
  const auth = site.auth ?? (kinds.size > 1 ? 'both' : [...kinds][0]);
  const accounts = parts.findLast((part) => part.accounts)?.accounts;
  return {
    ...site,
    ...(auth && { auth }),
    ...(accounts && { accounts }),
    addresses: parts.flatMap(({ addresses = [] }) => addresses),
    // One after another: a feature may use what an earlier one has prepared.
    async prepare(given) {
      const prepared: string[] = [];
      for (const { prepare } of parts) prepared.push(...((await prepare?.(given)) ?? []));
      return prepared;
    },
    published: parts.flatMap(({ published = [] }) => published),
    requests: (given) => parts.flatMap(({ requests }) => requests?.(given) ?? []),
    settings,
  };
}

function checkDeclared(settings: Readonly<Record<string, string>>, groups: SettingGroups): void {
  const declared = Object.values(groups).flatMap((group) => Object.values(group));
  const unknown = Object.keys(settings).find((key) => !declared.some(({ name }) => name === key));
  if (unknown !== undefined) throw new Error(`No setting of the site is named ${unknown}.`);
}
