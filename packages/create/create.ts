/** `npm create gatehouse`: makes a site of a release's template in a new folder. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { filesIn, isExecutable } from './archive.ts';
import { installed } from './install.ts';
import { planFor, samplesIn, type Files } from './plan.ts';
import { preparedFor } from './prepared.ts';
import { preview } from './preview.ts';
import { isInRepository } from './repository.ts';
import { checkName, placeOf, readArguments, type Command } from './request/command-line.ts';
import {
  askFeatures,
  askTarget,
  askWhether,
  checkWanted,
  type Terminal,
} from './request/questions.ts';
import { reasonOf, Refusal } from './request/refusal.ts';

export { ownTerminal, runCommand } from './command.ts';
export { releaseOf } from './update/release.ts';
export { update } from './update/update.ts';

const command: Command = {
  name: 'npm create gatehouse@latest --',
  target: '[folder]',
  own: ['git', 'install'],
};

export interface Surroundings {
  /** The archive of the release's template. */
  template: string | URL;
  cwd: string;
  /** Where to ask for what is missing. */
  terminal?: Terminal | undefined;
  /** `npm_config_user_agent`, by which package managers name themselves. */
  userAgent?: string | undefined;
}

/**
 * @param argv - The command's arguments.
 * @returns what the command prints.
 * @throws {Refusal} if it creates nothing, and tells why.
 */
export async function create(
  argv: readonly string[],
  { template, cwd, terminal, userAgent }: Surroundings,
): Promise<string> {
  checkManager(userAgent);
  const files = filesIn(await readFile(template));
  const { present, names } = samplesIn(files);
  const given = readArguments(argv, names, command);
  if (typeof given === 'string') return given;
  const asked = given.yes ? undefined : terminal;
  const check = (target: string) => {
    const { folder, name } = placeOf(target, cwd);
    checkName(name);
    checkPath(folder);
  };
  const target = given.target ?? (asked && (await askTarget(check, asked)));
  if (target === undefined) throw new Refusal(`The site needs a name: ${command.name} framewise`);
  check(target);
  const { folder, name } = placeOf(target, cwd);
  const shown = path.relative(cwd, folder) || '.';
  const isNew = await checkFree(folder, shown);
  const wanted = asked ? await askFeatures(given, present, asked) : given;
  const plan = planFor(files, { without: [], ...wanted, name });
  if (!plan) throw new Error('The archive is a site, not the template.');
  const isPart = isInRepository(folder);
  const [gitByDefault, installByDefault] = [!isPart, asked !== undefined];
  const ask = (message: string, byDefault: boolean) =>
    asked ? askWhether(message, byDefault, asked) : byDefault;
  const git =
    given.git ?? (await ask('Make a git repository, and its first commit?', gitByDefault));
  const install = given.install ?? (await ask('Run npm install?', installByDefault));
  if (asked) {
    const gone = plan.folders.filter((place) => /^(app\/\w+|mcp-server)$/.test(place));
    await checkWanted(
      [
        `A site named ${name} in ${shown}/`,
        ...(plan.framework === 'react-router'
          ? ['on React Router 8, with Node 22.22 or newer']
          : []),
        ...(gone.length > 0 ? [`without ${gone.join(', ')}`] : []),
        ...(git ? ['a git repository with its first commit'] : []),
        ...(install ? ['npm install'] : []),
      ],
      asked,
    );
  }

  const made = await preview(files, plan, preparedFor(files, plan, name));
  try {
    await writeAll(folder, made);
  } catch (error) {
    if (isNew) await rm(folder, { recursive: true, force: true });
    throw new Refusal(`The site could not be written: ${reasonOf(error)}.`);
  }
  const notes = git ? await firstCommit(folder) : [];
  const isInstalled = install && (await installed(folder));
  return [
    `Created  ${shown}/: ${made.size} files`,
    ...notes,
    ...(install && !isInstalled ? ['Left     npm install, which failed'] : []),
    'Next',
    ...(shown === '.' ? [] : [`  cd ${quoted(shown)}`]),
    isInstalled ? '  npm run dev' : '  npm install && npm run dev',
  ].join('\n');
}

/** @throws {Refusal} naming npm's command. The overrides of other package managers cannot say what the site's do. */
function checkManager(userAgent = 'npm/'): void {
  const [, name] = /^(\w+)\//.exec(userAgent) ?? [];
  if (name === undefined || name === 'npm') return;
  throw new Refusal(
    `A site is installed with npm, whose overrides keep vulnerable dependencies out, and not with ${name}: npm create gatehouse@latest`,
  );
}

/** @throws {Refusal} if the tools of a site cannot work at its path. */
function checkPath(folder: string): void {
  const [mark] = /[#?%]/.exec(folder) ?? [];
  if (mark) throw new Refusal(`The path ${folder} contains “${mark}”, which Vite cannot read.`);
}

/**
 * @returns whether the folder does not exist.
 * @throws {Refusal} if there is something in its place.
 */
async function checkFree(folder: string, shown: string): Promise<boolean> {
  try {
    if ((await readdir(folder)).length === 0) return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return true;
    if (code !== 'ENOTDIR') throw new Refusal(`${shown} cannot be read: ${reasonOf(error)}.`);
  }
  throw new Refusal(`${shown} exists and is not an empty folder: choose another name.`);
}

async function writeAll(folder: string, files: Files): Promise<void> {
  for (const [file, content] of files) {
    const place = path.join(folder, file);
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, content);
    if (isExecutable(content)) await chmod(place, 0o755);
  }
}

/** @returns what to say of it. */
async function firstCommit(cwd: string): Promise<string[]> {
  const run = (...args: string[]) => promisify(execFile)('git', args, { cwd });
  try {
    await run('init', '--quiet', '--initial-branch', 'main');
    await run('add', '--all');
    await run('commit', '--quiet', '--message', 'A new site');
    return [];
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    const line = stderr.split('\n').find((each) => /^(fatal|error):/.test(each));
    return [`Left     the first commit: ${line ?? reasonOf(error)}`];
  }
}

/** As a shell reads it. */
function quoted(place: string): string {
  return /^[\w./@+-]+$/.test(place) ? place : `'${place.replaceAll("'", "'\\''")}'`;
}
