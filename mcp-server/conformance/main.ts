/**
 * Runs the official conformance suite against servers made of this package's parts, without sessions and
 * with them. `--latest` fetches the newest suite, and the Node 22 that it needs, from npm; and for the modern era the first
 * that knows it, a pre-release.
 */
import { parseArgs } from 'node:util';
import { impossible, impossibleOfModern, modes, type Mode } from './modes.ts';
import { startConformanceServer } from './conformance-server.ts';
import { faultsOf, problemsOf, runSuite, versionOfSuite, type Version } from './suite.ts';

const { values } = parseArgs({ options: { latest: { type: 'boolean', default: false } } });

const version = values.latest ? 'latest' : 'installed';

const runs: readonly (readonly [Mode, Version])[] = [
  ...modes.map((mode) => [mode, version] as const),
  // Of the modern era there is no suite yet for the Node that the project needs.
  ...(values.latest ? [['stateless', 'modern'] as const] : []),
];

for (const run of runs) {
  try {
    if (!(await passes(...run))) process.exitCode = 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

async function passes(mode: Mode, version: Version): Promise<boolean> {
  const isModern = version === 'modern';
  const excused = isModern ? impossibleOfModern : impossible[mode];
  const server = await startConformanceServer(mode);
  const result = await runSuite(server.url, version).finally(server.close);
  const title = isModern ? 'of revision 2026-07-28' : mode;
  console.log(`\n${title}, by conformance suite ${await versionOfSuite(version)}`);
  // The newer suite skips what a server does not declare, and says so.
  const checks = new Map(
    [...result.checks].map(([scenario, results]) => [
      scenario,
      isModern ? results.filter(({ status }) => status !== 'SKIPPED') : results,
    ]),
  );
  let green = 0;
  for (const [scenario, results] of checks) {
    const isGreen = faultsOf(results).length === 0;
    if (isGreen) green += 1;
    const reason = excused.get(scenario);
    console.log(`${isGreen ? 'green' : 'not  '} ${scenario}${reason ? `  (${reason})` : ''}`);
  }
  const problems = problemsOf({ checks }, excused);
  for (const problem of problems) console.log(`WRONG ${problem}`);
  console.log(`${green} of ${checks.size} scenarios are green.`);
  return problems.length === 0;
}
