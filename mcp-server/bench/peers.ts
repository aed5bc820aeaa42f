/** The peers that the benchmark measures: each in a folder of its own, installed from its own lock. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface Installed {
  readonly present: readonly string[];
  /** Those that could not be had, and the first line of why. */
  readonly absent: ReadonlyMap<string, string>;
}

/**
 * Installs what is not there yet, the first time a benchmark runs. The rest is measured without those that
 * cannot be had.
 *
 * @param peers Names of folders in `bench/peers/`.
 */
export async function installPeers(
  peers: readonly string[],
  install: (peer: string) => Promise<void> = installFromLock,
): Promise<Installed> {
  const present: string[] = [];
  const absent = new Map<string, string>();
  for (const peer of peers) {
    try {
      await install(peer);
      present.push(peer);
    } catch (error) {
      absent.set(peer, reasonOf(error));
    }
  }
  return { present, absent };
}

async function installFromLock(peer: string): Promise<void> {
  const cwd = fileURLToPath(new URL(`peers/${peer}`, import.meta.url));
  if (existsSync(`${cwd}/node_modules`)) return;
  // A peer's dependency may ask for a newer Node than it needs here: the project's engine-strict is not for it.
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false'];
  await promisify(execFile)('npm', ['ci', ...flags], { cwd });
}

/** Of npm's words the first that tell of an error; of any other failure its message. */
function reasonOf(error: unknown): string {
  const { stderr = '', message = 'unknown' } = error as { stderr?: string; message?: string };
  const told = stderr.split('\n').find((line) => /^npm (?:error|ERR!) (?!code)/.test(line));
  return (told?.replace(/^npm (?:error|ERR!) /, '') ?? message).split('\n')[0] ?? '';
}
