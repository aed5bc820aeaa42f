/**
 * Finds a Chromium for the tests, or installs one (`tsx packages/simulator/src/browser/browser.ts` prints its path).
 *
 * In this order: Playwright's own, the system's, Debian's package (as root or in CI), Playwright's download.
 * On a developer's machine no system package is installed.
 */
import { execFile, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { testSettings } from '../programs/env.ts';

export interface FoundBrowser {
  executablePath: string;
  source: 'playwright' | 'system' | 'debian';
}

/** Everything that touches the machine, injectable for tests. */
export interface Probes {
  /** The path of Playwright's own Chromium, when it is there. */
  playwright: () => Promise<string | null>;
  /** The path of a Chromium or Chrome on this machine that starts. */
  system: () => Promise<string | null>;
  /** The command to run apt-get with; null where Debian's package may not be installed. */
  debian: () => Promise<string[] | null>;
  installDebian: (asRoot: string[]) => Promise<void>;
  installPlaywright: () => Promise<void>;
  /** Runs one installation at a time, whichever process asks for it. */
  exclusively: <T>(task: () => Promise<T>) => Promise<T>;
  print: (line: string) => void;
}

let found: Promise<FoundBrowser> | undefined;

/**
 * Finds the browser once per process.
 *
 * @throws {Error} naming what was tried and what to do, when no browser can be found or installed
 */
export function findBrowser(): Promise<FoundBrowser> {
  return (found ??= chooseBrowser(thisMachine));
}

export async function chooseBrowser(probes: Probes): Promise<FoundBrowser> {
  return (await present(probes)) ?? probes.exclusively(() => install(probes));
}

async function present({ playwright, system }: Probes): Promise<FoundBrowser | null> {
  const own = await playwright();
  if (own) return { executablePath: own, source: 'playwright' };
  const installed = await system();
  return installed ? { executablePath: installed, source: 'system' } : null;
}

async function install(probes: Probes): Promise<FoundBrowser> {
  // Another process may have installed one while this one waited for the lock.
  const meanwhile = await present(probes);
  if (meanwhile) return meanwhile;
  const failures: string[] = [];

  const asRoot = await probes.debian();
  if (asRoot) {
    probes.print('No Chromium found: installing Debian’s package (chromium).');
    try {
      await probes.installDebian(asRoot);
      const executablePath = await probes.system();
      if (executablePath) return { executablePath, source: 'debian' };
      failures.push('Debian’s chromium was installed, and does not start.');
    } catch (error) {
      failures.push(`apt-get: ${reason(error)}`);
    }
  }

  probes.print('No Chromium found: downloading Playwright’s.');
  try {
    await probes.installPlaywright();
    const executablePath = await probes.playwright();
    if (executablePath) return { executablePath, source: 'playwright' };
    failures.push('Playwright’s Chromium was installed, and is not there.');
  } catch (error) {
    failures.push(`playwright install: ${reason(error)}`);
  }

  throw new Error(
    [
      'No Chromium for the end-to-end tests: run `npx playwright install chromium`, or install Chromium so that `chromium` is on the PATH.',
      'Tried:',
      ...failures.map((failure) => `  - ${failure}`),
    ].join('\n'),
  );
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const run = promisify(execFile);

const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const thisMachine: Probes = {
  async playwright() {
    const { chromium } = await import('@playwright/test');
    const path = chromium.executablePath();
    return (await isExecutable(path)) ? path : null;
  },

  async system() {
    // On Windows, `chrome --version` opens a window.
    if (process.platform === 'win32') return null;
    const folders = testSettings().path.split(delimiter).filter(Boolean);
    const paths = commands.flatMap((command) => folders.map((folder) => join(folder, command)));
    for (const path of process.platform === 'darwin' ? [...applications, ...paths] : paths) {
      if (!(await isExecutable(path))) continue;
      // Ubuntu's `chromium-browser` is a script that only prints how to install the snap.
      const starts = await run(path, ['--version'], { timeout: 15_000 }).catch(() => null);
      if (starts) return path;
    }
    return null;
  },

  async debian() {
    if (process.platform !== 'linux') return null;
    if (!isDebian(await readFile('/etc/os-release', 'utf8').catch(() => ''))) return null;
    return debianRights({
      root: process.getuid?.() === 0,
      ci: testSettings().ci,
      sudo: () =>
        run('sudo', ['-n', 'true'], { timeout: 5_000 }).then(
          () => true,
          () => false,
        ),
    });
  },

  async installDebian(asRoot) {
    const apt = [...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
    // An outdated package list may do: only the installation has to succeed.
    await show([...apt, 'update']).catch(() => undefined);
    await show([
      ...[...apt, 'install', '-y', '--no-install-recommends'],
      // Without a font, Chromium renders no text.
      ...['chromium', 'fonts-liberation'],
    ]);
  },

  async installPlaywright() {
    await show(['npx', 'playwright', 'install', 'chromium']);
  },

  async exclusively(task) {
    const lock = join(tmpdir(), 'gatehouse-browser.lock');
    for (;;) {
      try {
        await writeFile(lock, String(process.pid), { flag: 'wx' });
        break;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        // A stale lock: the process that held it was killed.
        const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
        if (!isRunning(holder)) await rm(lock, { force: true });
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
    try {
      return await task();
    } finally {
      await rm(lock, { force: true });
    }
  },

  print(line) {
    process.stderr.write(`${line}\n`);
  },
};

/**
 * The command to run apt-get with, or null where no system package may be installed: only root and CI may.
 */
export async function debianRights(who: {
  root: boolean;
  /** The variable `CI`. */
  ci: string;
  /** Whether `sudo` works without a password. */
  sudo: () => Promise<boolean>;
}): Promise<string[] | null> {
  if (who.root) return [];
  const isCi = /^(1|true)$/.test(who.ci);
  return isCi && (await who.sudo()) ? ['sudo', '-n'] : null;
}

/** Ubuntu is left out: its chromium package is a snap, which a container cannot start. */
export function isDebian(osRelease: string): boolean {
  const field = (name: string) =>
    new RegExp(`^${name}="?([^"\n]*)`, 'm').exec(osRelease)?.[1]?.split(' ') ?? [];
  const family = [...field('ID'), ...field('ID_LIKE')];
  return family.includes('debian') && !family.includes('ubuntu');
}

/**
 * A new lock file is still empty: its pid reads as 0, which `kill` takes for this process group, so it counts
 * as running.
 */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Runs a command with its output on stderr, so that stdout has nothing but the path. */
async function show([command = '', ...args]: string[]): Promise<void> {
  const shell = process.platform === 'win32';
  const child = spawn(command, args, { stdio: ['ignore', 2, 2], shell });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`\`${[command, ...args].join(' ')}\` ended with ${code}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { executablePath } = await findBrowser();
  process.stdout.write(`${executablePath}\n`);
}
