/**
 * Runs the official conformance suite against servers built from this package, without and with sessions.
 * `--latest` fetches from npm the latest suite, the Node.js 22 that it needs, and for the modern era the first
 * suite that supports it, a pre-release.
 */
import { parseArgs } from 'node:util';
import { impossible, impossibleOfModern, modes, type Mode } from './modes.ts';
import { startConformanceServer } from './conformance-server.ts';
import { faultsOf, problemsOf, runSuite, versionOfSuite, type Version } from './suite.ts';

const { values } = parseArgs({ options: { latest: { type: 'boolean', default: false } } });

const version = values.latest ? 'latest' : 'installed';

const runs: readonly (readonly [Mode, Version])[] = [
  ...modes.map((mode) => [mode, version] as const),
  // No suite for the modern era runs on the Node.js version that the project requires.
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
  // The newer suite skips scenarios for undeclared capabilities, and reports them as skipped.
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
