/** Copies an author's folder to an empty place and installs it there with the packed package, once for all release tests. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { pack } from '../../../packages/create/packing/pack.ts';
import { readFiles } from '../../../packages/create/repository.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the copy. */
    readonly copiedFolder: string;
  }
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = path.join(root, 'mcp-server');
const made = /^(node_modules|dist|\.cache|\.env|package-lock\.json)$/;

/** A user's shell environment, without the variables of the npm process that runs this. */
export const shellEnvironment = {
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  CI: '1',
  NO_COLOR: '1',
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
} as unknown as NodeJS.ProcessEnv;

/**
 * Runs one command.
 *
 * @returns Its standard output.
 * @throws Error with its complete output if it fails.
 */
export async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const options = { cwd, env: shellEnvironment, maxBuffer: 64 * 1024 * 1024 };
  try {
    return (await promisify(execFile)(command, args, options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed.\n${stdout}\n${stderr}`, { cause: error });
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const place = await realpath(await mkdtemp(path.join(tmpdir(), 'mcp-server-')));
  const copy = path.join(place, 'copied');
  await cp(folder, copy, {
    recursive: true,
    filter: (file) => !made.test(path.basename(file)),
  });
  const { files } = await readFiles(root);
  const [http, mcp] = await pack(root, files, ['http', 'mcp'], path.join(copy, 'vendor'));
  const file = path.join(copy, 'package.json');
  const manifest = await readFile(file, 'utf8');
  await writeFile(
    file,
    manifest.replace(
      '"@gatehouse/mcp": "*"',
      `"@gatehouse/http": "file:vendor/${http}",\n    "@gatehouse/mcp": "file:vendor/${mcp}"`,
    ),
  );
  await run('npm', ['install'], copy);
  await completeLock(path.join(copy, 'package-lock.json'));
  project.provide('copiedFolder', copy);
  return () => rm(place, { recursive: true, force: true });
}

interface Lock {
  readonly packages: Record<
    string,
    { readonly version?: string; readonly optionalDependencies?: Readonly<Record<string, string>> }
  >;
}

/**
 * Adds missing optional packages of other platforms to the lock file. A mirror registry may have only the packages
 * of its own platform; npm then omits the others from the lock, and `npm ci` rejects it. They are never installed.
 */
async function completeLock(file: string): Promise<void> {
  const lock = JSON.parse(await readFile(file, 'utf8')) as Lock;
  const { packages } = lock;
  for (const { optionalDependencies = {} } of Object.values(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const [least] = /\d+\.\d+\.\d+.*/.exec(version) ?? [];
      const elsewhere = { version: least ?? '', optional: true, os: ['elsewhere'] };
      if (least !== undefined) packages[`node_modules/${name}`] ??= elsewhere;
    }
  }
  await writeFile(file, JSON.stringify(lock, null, 2));
}
