/** Starts `npm run dev` as a user does, in a copy of the repository whose files a test may edit. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { freePort } from '@gatehouse/simulator/programs';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Not copied: generated, or not needed to run the programs. */
const skipped = /(^|\/)(node_modules|\.git|\.cache|build|dist|test-results|pictures)$/;

export interface Tree {
  folder: string;
  /** Changes a file until `restore`. */
  edit(file: string, change: (text: string) => string, write?: WriteFile): Promise<void>;
  /** Adds a file until `restore`. */
  add(file: string, text: string): Promise<void>;
  /** Writes back every file that was edited, and removes those that were added. */
  restore(): Promise<void>;
  remove(): Promise<void>;
}

type WriteFile = (place: string, text: string) => Promise<void>;

/** Writes a temporary file and renames it, as most editors do. */
const writeInOneStep: WriteFile = async (place, text) => {
  await writeFile(`${place}~`, text);
  await rename(`${place}~`, place);
};

/** As other editors do. The file is empty for so short a time that the watcher merges both events. */
export const truncateThenWrite: WriteFile = async (place, text) => {
  await writeFile(place, '');
  await setTimeout(40);
  await writeFile(place, text);
};

export async function copyTree(): Promise<Tree> {
  const folder = await mkdtemp(path.join(tmpdir(), 'development-'));
  await cp(repository, folder, {
    recursive: true,
    filter: (file) => !skipped.test(path.relative(repository, file)),
  });
  const ofMcp = 'packages/mcp/node_modules';
  await symlink(path.join(repository, ofMcp), path.join(folder, ofMcp));
  await mkdir(path.join(folder, 'node_modules'));
  for (const name of await readdir(path.join(repository, 'node_modules'))) {
    const place = path.join(folder, 'node_modules', name);
    // The packages link to the copy, so that a test can edit them.
    if (name === '@gatehouse')
      await cp(path.join(repository, 'node_modules', name), place, {
        recursive: true,
        verbatimSymlinks: true,
      });
    else await symlink(path.join(repository, 'node_modules', name), place);
  }
  // By default, Vite's cache would be in `node_modules`, which is shared with the real repository.
  const config = path.join(folder, 'vite.config.ts');
  const text = await readFile(config, 'utf8');
  await writeFile(
    config,
    text.replace('defineConfig({', "defineConfig({\n  cacheDir: '.cache/vite',"),
  );

  /** The original content of changed files, or `null` for added ones. */
  const before = new Map<string, string | null>();
  return {
    folder,
    async edit(file, change, write = writeInOneStep) {
      const place = path.join(folder, file);
      const text = await readFile(place, 'utf8');
      const edited = change(text);
      expect(edited, `the edit of ${file} changes something`).not.toBe(text);
      if (!before.has(file)) before.set(file, text);
      await write(place, edited);
    },
    async add(file, text) {
      before.set(file, null);
      await writeInOneStep(path.join(folder, file), text);
    },
    async restore() {
      for (const [file, text] of before) {
        const place = path.join(folder, file);
        await (text === null ? rm(place) : writeInOneStep(place, text));
      }
      before.clear();
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 20 }),
  };
}

export interface Development {
  /** The process id of `npm run dev`. */
  pid: number;
  platformUrl: string;
  siteOrigin: string;
  /** The URL of the site's own port, which bypasses the edge. */
  ownUrl: string;
  internalUrl: string;
  /** Everything that the programs have printed so far. */
  output(): string;
  /** Its current descendant processes. */
  descendants(): Promise<number[]>;
  /** Sends SIGINT to the process group, as Ctrl-C does, and waits until everything has ended. */
  stop(): Promise<void>;
}

/** Resolves once the address to open has been announced. */
export async function startDevelopment(
  folder: string,
  env: Record<string, string> = {},
): Promise<Development> {
  const ports = {
    PLATFORM_PORT: await freePort(),
    PLATFORM_INTERNAL_PORT: await freePort(),
    PORT: await freePort(),
    MCP_PORT: await freePort(),
    EXAMPLE_SERVICE_PORT: await freePort(),
  };
  const settings = Object.entries(ports).map(([name, port]) => [name, String(port)]);
  const child = spawn('npm', ['run', 'dev'], {
    cwd: folder,
    env: { ...process.env, ...(Object.fromEntries(settings) as Record<string, string>), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group, as in a terminal, where Ctrl-C signals the whole group.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const ended = once(child, 'close');
  const pid = child.pid ?? 0;
  const platformUrl = `http://platform.localhost:${ports.PLATFORM_PORT}`;
  const opened = expect.poll(() => output, { timeout: 120_000 }).toContain(`Open ${platformUrl}\n`);
  await Promise.race([
    opened,
    ended.then(() => {
      throw new Error(`npm run dev ended.\n${output}`);
    }),
  ]);
  return {
    pid,
    platformUrl,
    siteOrigin: `http://site.localhost:${ports.PLATFORM_PORT}`,
    ownUrl: `http://localhost:${ports.PORT}`,
    internalUrl: `http://127.0.0.1:${ports.PLATFORM_INTERNAL_PORT}`,
    output: () => output,
    descendants: () => descendantsOf(pid),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) process.kill(-pid, 'SIGINT');
      await ended;
    },
  };
}

async function descendantsOf(pid: number): Promise<number[]> {
  const table = await processTable();
  const below = (parent: number): number[] =>
    table.filter((row) => row.parent === parent).flatMap((row) => [row.pid, ...below(row.pid)]);
  return below(pid);
}

/** Returns the processes that are still running. */
export async function running(pids: number[]): Promise<number[]> {
  return (await processTable()).map(({ pid }) => pid).filter((pid) => pids.includes(pid));
}

/** Leaves out zombies: in a container without an init process, orphans are never reaped. */
async function processTable(): Promise<{ pid: number; parent: number }[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state = '']) => !state.startsWith('Z'))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }));
}
