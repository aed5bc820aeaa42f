/** Installs the peers that the benchmark measures, each in its own folder from its own lock file. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface Installed {
  readonly present: readonly string[];
  /** The peers that could not be installed, with the first line of the reason. */
  readonly absent: ReadonlyMap<string, string>;
}

/**
 * Installs the missing peers. The benchmark continues without those that cannot be installed.
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
  // A peer's dependency may declare a newer Node.js than it needs here, so the project's engine-strict is disabled.
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false'];
  await promisify(execFile)('npm', ['ci', ...flags], { cwd });
}

/** Returns the first error line of npm's output, or the message of any other failure. */
function reasonOf(error: unknown): string {
  const { stderr = '', message = 'unknown' } = error as { stderr?: string; message?: string };
  const reported = stderr.split('\n').find((line) => /^npm (?:error|ERR!) (?!code)/.test(line));
  return (reported?.replace(/^npm (?:error|ERR!) /, '') ?? message).split('\n')[0] ?? '';
}
