/** One declaration of each setting: its parser, its type, and its line in `.env.example` and in the documents. */
import type { z } from 'zod';
import type { ServerSettings } from '../site.ts';

export interface Setting {
  /** The environment variable. */
  name: string;
  /** For the text of the variable. Refusals complete the sentence that begins with the name. */
  schema: z.ZodType;
  /** For the person who sets it: what it is, in Markdown. */
  about: string;
  /** The value in `.env.example`. Without one, the file leaves the setting out. */
  example?: string;
  /** What the documents say of the default, where a value would not. */
  usually?: string;
  /** Whether its value must not be shown. */
  isSecret?: true;
  /** What is wrong with the parsed variable beside the others, as the rest of the sentence; null if nothing is. */
  problem?: (value: unknown, env: Readonly<Record<string, unknown>>) => string | null;
  /** The value of a variable that is not set, from the server's settings. */
  fallback?: (env: ServerEnv) => unknown;
}

type ServerEnv = Pick<ServerSettings, 'mode' | 'port' | 'siteOrigin'>;

/** Settings by the name of their value. */
export type Settings = Readonly<Record<string, Setting>>;

/** The settings of the server, of each feature and of the site: the exports of `app/settings.server.ts`. */
export type SettingGroups = Readonly<Record<string, Settings>>;

type ValueOf<Declared> = Declared extends { schema: z.ZodType<infer Value> }
  ? Declared extends { fallback: (...given: never[]) => infer Fallback }
    ? Exclude<Value, undefined> | Fallback
    : Value
  : never;

type ValuesOf<Group> = { readonly [Name in keyof Group]: ValueOf<Group[Name]> };

type Joined<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The values of all groups' settings, in one object. */
export type EnvOf<Groups> = Joined<
  { [Name in keyof Groups]: ValuesOf<Groups[Name]> }[keyof Groups]
>;

/** A setting is missing or malformed. The message is one sentence that names it. */
export class SettingError extends Error {
  override name = 'SettingError';
}

/**
 * Parses variables, and freezes their values. An empty variable counts as unset, because shells and .env files cannot tell the two
 * apart.
 *
 * @throws {SettingError} naming the first setting that is missing or malformed.
 */
export function readSettings<const Groups extends SettingGroups>(
  groups: Groups,
  source: Readonly<Record<string, string | undefined>>,
): EnvOf<Groups> {
  const settings = settingsOf(groups);
  const env: Record<string, unknown> = {};
  for (const [key, setting] of settings) env[key] = parse(setting, source[setting.name]);
  for (const [key, { name, problem }] of settings) {
    const reason = attempt(name, () => problem?.(env[key], env)) ?? null;
    if (reason !== null) throw new SettingError(`${name} ${reason}.`);
  }
  for (const [key, { name, fallback }] of settings) {
    env[key] ??= attempt(name, () => fallback?.(env as unknown as ServerEnv));
  }
  return Object.freeze(env) as EnvOf<Groups>;
}

/**
 * Each setting with the name of its value: the server's first, on which fallbacks depend.
 *
 * @throws {SettingError} if two have the same name.
 */
export function settingsOf(groups: SettingGroups): [key: string, setting: Setting][] {
  const { server = {}, ...others } = groups;
  const names = Object.keys(others).sort();
  const sorted: [group: string, settings: Settings][] = [
    ['server', server],
    ...names.map((name): [string, Settings] => [name, others[name] ?? {}]),
  ];
  const owners = new Map<string, string>();
  return sorted.flatMap(([group, settings]) =>
    Object.entries(settings).map(([key, setting]): [string, Setting] => {
      for (const name of [key, setting.name]) {
        const owner = owners.get(name);
        if (owner !== undefined) {
          throw new SettingError(
            `${name} is the name of two settings, of ${owner} and of ${group}.`,
          );
        }
        owners.set(name, group);
      }
      return [key, setting];
    }),
  );
}

function parse({ name, schema }: Setting, given: string | undefined): unknown {
  const text = given === '' ? undefined : given;
  const result = attempt(name, () => schema.safeParse(text));
  if (result.success) return result.data;
  // Docker keeps the quotes of an --env-file. If the value is valid without its quotes, the message names the quotes.
  const unquoted = /^(["'])(.*)\1$/s.exec(text ?? '')?.[2];
  if (unquoted !== undefined && attempt(name, () => schema.safeParse(unquoted)).success) {
    throw new SettingError(`${name} must not be in quotes.`);
  }
  const { message = '' } = result.error.issues[0] ?? {};
  // The schema library's own messages are no end of a sentence, and may quote the value.
  const isWritten = /^[a-z]/.test(message);
  const unwritten = text === undefined ? 'is required' : 'is malformed';
  throw new SettingError(`${name} ${isWritten ? message : unwritten}.`);
}

/** Hides what a declaration throws: it may quote the value, which may be a secret. */
function attempt<Result>(name: string, work: () => Result): Result {
  try {
    return work();
  } catch {
    throw new SettingError(`${name} cannot be read: its declaration throws an error.`);
  }
}
