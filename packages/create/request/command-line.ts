import { parseArgs } from 'node:util';
import validateName from 'validate-npm-package-name';
import { Refusal } from './refusal.ts';
import { authModes, type AuthMode } from '../features.ts';

export interface Request {
  /** The site's name as an npm package name: `framewise`, `@acme/story-board`. */
  name: string;
  /** Undefined if not given. */
  auth?: AuthMode;
  /** Names of samples. */
  without: string[];
}

const usageOf = (samples: readonly string[]) =>
  `npm run init -- <name> [--auth ${authModes.join('|')}] [--without ${samples.join(',')}]`;

const about = `--auth (default: ${authModes[0]}) deletes the code of the other kind of account; --without removes samples. See README.md.`;

/**
 * @param samples - What `--without` accepts.
 * @returns the text of `--help`, if that is what is wanted.
 * @throws {Refusal} with one sentence, if the arguments are invalid.
 */
export function readRequest(argv: string[], samples: readonly string[]): Request | string {
  const usage = usageOf(samples);
  const { values, positionals } = parse(argv, usage);
  if (values.help) return `${usage}\n\n${about}`;
  const [name, ...more] = positionals;
  if (name === undefined) throw new Refusal(`The site needs a name: ${usage}`);
  if (more.length > 0) {
    throw new Refusal(
      `Expected one name, but also got "${more.join(' ')}"; options come after "--": ${usage}`,
    );
  }
  checkName(name);
  const without = (values.without ?? []).flatMap((list) => list.split(','));
  const given = without.map((word) => word.trim());
  const unknown = given.find((word) => !samples.includes(word));
  if (unknown !== undefined) {
    throw new Refusal(`--without accepts ${samples.join(', ')}, not "${unknown}".`);
  }
  return {
    name,
    ...(values.auth !== undefined && { auth: checkedMode(values.auth) }),
    without: samples.filter((sample) => given.includes(sample)),
  };
}

function parse(argv: string[], usage: string) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        auth: { type: 'string' },
        without: { type: 'string', multiple: true },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : String(error)}: ${usage}`);
  }
}

function checkName(name: string): void {
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

function checkedMode(word: string): AuthMode {
  const mode = authModes.find((known) => known === word);
  if (mode) return mode;
  throw new Refusal(`--auth accepts ${authModes.join(', ')}, not "${word}".`);
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
