/** Runs the official suite in a separate process, and interprets its results strictly. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** One check of a scenario. */
export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly errorMessage?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface SuiteResult {
  /** By scenario. */
  readonly checks: ReadonlyMap<string, readonly Check[]>;
  /** The suite's output. */
  readonly output: string;
}

/**
 * `installed` runs on Node.js 20; the others are fetched from npm with the Node.js version that they need. `modern`
 * is the first version that supports revision 2026-07-28, or a newer one, run with that revision's requirements.
 */
export type Version = 'installed' | 'latest' | 'modern';

/**
 * Runs every scenario for servers.
 *
 * @throws Error with the suite's output if the suite itself did not run.
 */
export async function runSuite(url: string, version: Version = 'installed'): Promise<SuiteResult> {
  const directory = await mkdtemp(path.join(tmpdir(), 'conformance-'));
  try {
    const scenarios = version === 'modern' ? ['--requirements', '2026-07-28'] : ['--suite', 'all'];
    const flags = ['server', '--url', url, ...scenarios, '--output-dir', directory];
    const [command, ...first] = commands[version]();
    const child = spawn(command, [...first, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    await once(child, 'close');
    const checks = await readChecks(directory, version === 'modern');
    const announced = Number(/\((\d+) scenarios\)/.exec(output)?.[1]);
    if (checks.size === 0 || checks.size !== announced) {
      throw new Error(`The suite did not run as a whole.\n${output}`);
    }
    return { checks, output };
  } finally {
    await rm(directory, { recursive: true });
  }
}

const commands: Readonly<Record<Version, () => [string, ...string[]]>> = {
  installed: () => {
    const require = createRequire(import.meta.url);
    const manifest = require.resolve('@modelcontextprotocol/conformance/package.json');
    return [process.execPath, path.join(path.dirname(manifest), 'dist/index.js')];
  },
  // The inner npx uses the Node.js that the outer one provides: npm checks packages against its own version.
  latest: () => fetched('latest'),
  modern: () => fetched('>=0.2.0-0'),
};

function fetched(version: string): [string, ...string[]] {
  const suite = `--package=@modelcontextprotocol/conformance@${version}`;
  return ['npx', '--yes', '--package=node@24', '--', 'npx', '--yes', suite, '--', 'conformance'];
}

/**
 * Reads one directory for each scenario: `server-ping-2026-11-21T15-00-00-000Z/checks.json`.
 *
 * @param skips Whether the suite skips what needs a capability that the server does not declare, and reports it.
 */
async function readChecks(directory: string, skips: boolean): Promise<Map<string, Check[]>> {
  const checks = new Map<string, Check[]>();
  for (const name of (await readdir(directory)).sort()) {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
    const text = await readFile(path.join(directory, name, 'checks.json'), 'utf8');
    const results = JSON.parse(text) as Check[];
    checks.set(
      scenario,
      results.filter(({ status }) => !skips || status !== 'SKIPPED'),
    );
  }
  return checks;
}

/**
 * Returns one line for each reason why a scenario does not pass. The suite's own summary counts failures only:
 * warnings and scenarios without a check pass there.
 */
export function faultsOf(checks: readonly Check[]): string[] {
  const faults = checks
    .filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
    .map(({ id, status, errorMessage }) => `${status} ${id}: ${errorMessage ?? ''}`);
  const checked = checks.some(({ status }) => status === 'SUCCESS');
  return checked || faults.length > 0 ? faults : ['Nothing was checked.'];
}

/**
 * Returns one line for each problem of a run: a scenario that does not pass, and a scenario that is listed as
 * impossible but passes or does not exist.
 *
 * @param impossible Scenarios and their reasons. The suite's own list of expected failures has neither reasons nor
 *   the strictness of {@link faultsOf}.
 */
export function problemsOf(
  { checks }: Pick<SuiteResult, 'checks'>,
  impossible: ReadonlyMap<string, string>,
): string[] {
  const problems = [...checks]
    .filter(([scenario]) => !impossible.has(scenario))
    .flatMap(([scenario, results]) => faultsOf(results).map((fault) => `${scenario}: ${fault}`));
  for (const scenario of impossible.keys()) {
    const results = checks.get(scenario);
    if (!results) problems.push(`${scenario}: There is no such scenario.`);
    else if (faultsOf(results).length === 0) problems.push(`${scenario}: It is green after all.`);
  }
  return problems;
}
