import { parseArgs } from 'node:util';
import validateName from 'validate-npm-package-name';
import { Refusal } from './refusal.ts';
import { authModes, samples, type AuthMode, type Sample } from './parts.ts';

export interface Request {
  /** The site's name as an npm package name: `framewise`, `@acme/story-board`. */
  name: string;
  /** Undefined if not given. */
  auth?: AuthMode;
  without: Sample[];
}

export const usage = `npm run init -- <name> [--auth ${authModes.join('|')}] [--without ${samples.join(',')}]`;

export const help = `${usage}

--auth (default: ${authModes[0]}) deletes the code of the other kind of account; --without removes samples. See README.md.`;

/** @throws {Refusal} with one sentence, if the arguments are invalid. */
export function readRequest(argv: string[]): Request | 'help' {
  const { values, positionals } = parse(argv);
  if (values.help) return 'help';
  const [name, ...more] = positionals;
  if (name === undefined) throw new Refusal(`The site needs a name: ${usage}`);
  if (more.length > 0) {
    throw new Refusal(
      `Expected one name, but also got "${more.join(' ')}"; options come after "--": ${usage}`,
    );
  }
  checkName(name);
  const without = (values.without ?? []).flatMap((list) => list.split(','));
  return {
    name,
    ...(values.auth !== undefined && { auth: checkedMode(values.auth) }),
    without: samples.filter((sample) => checked(without).includes(sample)),
  };
}

function parse(argv: string[]) {
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
  const mode = authModes.find((one) => one === word);
  if (mode) return mode;
  throw new Refusal(`--auth accepts ${authModes.join(', ')}, not "${word}".`);
}

function checked(without: string[]): Sample[] {
  return without.map((word) => {
    const sample = samples.find((one) => one === word.trim());
    if (sample) return sample;
    throw new Refusal(`--without accepts ${samples.join(', ')}, not "${word.trim()}".`);
  });
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
