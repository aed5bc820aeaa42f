/** The arguments of `npm run init` and `npm create gatehouse`. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import validateName from 'validate-npm-package-name';
import { authModes, frameworks, type AuthMode, type FrameworkName } from '../features.ts';
import { reasonOf, Refusal } from './refusal.ts';

export interface Request {
  /** The site's name as an npm package name: `framewise`, `@acme/story-board`. */
  name: string;
  /** Undefined if not given. */
  auth?: AuthMode;
  /** Undefined if not given. */
  framework?: FrameworkName;
  /** Names of samples. */
  without: readonly string[];
}

/** What the arguments say; the rest is asked, or has defaults. */
export interface Given {
  /** A name, or where to create the site: `sites/framewise`. */
  target?: string;
  auth?: AuthMode;
  without?: readonly string[];
  framework?: FrameworkName;
  /** Asks nothing. */
  yes: boolean;
  git?: boolean;
  install?: boolean;
}

export interface Command {
  /** As it is typed. */
  name: string;
  target: string;
  /** Options that not every command has. */
  own: readonly ('git' | 'install')[];
}

const about = `--auth (default: ${authModes[0]}) leaves out the code of the other kind of account, --without samples.
--framework react-router makes the site for React Router 8, which needs Node 22.22 or newer.
--yes asks nothing, as without a terminal: what is not given has its default. See README.md.`;

/**
 * @param samples - What `--without` accepts.
 * @returns the text of `--help`, if that is what is wanted.
 * @throws {Refusal} with one sentence, if the arguments are invalid.
 */
export function readArguments(
  argv: readonly string[],
  samples: readonly string[],
  command: Command,
): Given | string {
  const modes = authModes.join('|');
  const own = command.own.map((option) => ` [--no-${option}]`).join('');
  const usage = `${command.name} ${command.target} [--auth ${modes}] [--without ${samples.join(',')}] [--framework ${frameworks.join('|')}]${own} [--yes]`;
  const { values, positionals } = parse(argv, usage, command);
  if (values.help) return `${usage}\n\n${about}`;
  const [target, ...more] = positionals;
  if (more.length > 0) {
    throw new Refusal(
      `Expected one name, but also got "${more.join(' ')}"; options come after "--": ${usage}`,
    );
  }
  const { auth, without, framework, yes = false, git, install } = values;
  return {
    ...(target !== undefined && { target }),
    ...(auth !== undefined && { auth: oneOf('auth', authModes, auth) }),
    ...(without && { without: checkedSamples(without, samples) }),
    ...(framework !== undefined && { framework: oneOf('framework', frameworks, framework) }),
    yes,
    ...(git !== undefined && { git }),
    ...(install !== undefined && { install }),
  };
}

function parse(argv: readonly string[], usage: string, { own }: Command) {
  try {
    const parsed = parseArgs({
      args: [...argv],
      allowPositionals: true,
      allowNegative: true,
      options: {
        auth: { type: 'string' },
        without: { type: 'string', multiple: true },
        framework: { type: 'string' },
        yes: { type: 'boolean', short: 'y' },
        git: { type: 'boolean' },
        install: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const other = (['git', 'install'] as const).find(
      (option) => parsed.values[option] !== undefined && !own.includes(option),
    );
    if (other) throw new Error(`Unknown option '--${other}'`);
    return parsed;
  } catch (error) {
    throw new Refusal(`${reasonOf(error)}: ${usage}`);
  }
}

function checkedSamples(lists: readonly string[], samples: readonly string[]): string[] {
  const given = lists.flatMap((list) => list.split(',')).map((word) => word.trim());
  const unknown = given.find((word) => !samples.includes(word));
  if (unknown !== undefined) {
    throw new Refusal(`--without accepts ${samples.join(', ')}, not "${unknown}".`);
  }
  return samples.filter((sample) => given.includes(sample));
}

function oneOf<Word extends string>(option: string, words: readonly Word[], given: string): Word {
  const word = words.find((known) => known === given);
  if (word !== undefined) return word;
  throw new Refusal(`--${option} accepts ${words.join(', ')}, not "${given}".`);
}

/** Where a site is created, and its name: `@acme/story-board` is created in `story-board/`. */
export function placeOf(target: string, cwd: string): { folder: string; name: string } {
  const isScoped = /^@[^/]+\/[^/]+$/.test(target);
  const folder = path.resolve(cwd, isScoped ? path.posix.basename(target) : target);
  return { folder, name: isScoped ? target : path.basename(folder) };
}

/** @throws {Refusal} unless it is the name of an npm package, and there is a title in it. */
export function checkName(name: string): void {
  const { validForNewPackages, errors = [], warnings = [] } = validateName(name);
  if (!validForNewPackages) {
    throw new Refusal(
      `"${name}" is not a valid package name: ${[...errors, ...warnings].join(', ')}.`,
    );
  }
  if (/^(@[^/]*\/)?-/.test(name)) {
    throw new Refusal(`"${name}" is not a valid name: it begins with a hyphen.`);
  }
  if (titleOf(name) === '')
    throw new Refusal(`"${name}" is not a valid name: it has no letter or digit.`);
}

/** `story-board` and `@acme/story-board` become `Story Board`. */
export function titleOf(name: string): string {
  return name
    .replace(/^@[^/]*\//, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.replace(/^./, (letter) => letter.toUpperCase()))
    .join(' ');
}
