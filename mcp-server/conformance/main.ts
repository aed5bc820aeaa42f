/**
 * Runs the official conformance suite against servers made of this package's parts, without sessions and
 * with them. `--latest` fetches the newest suite, and the Node 22 that it needs, from npm.
 */
import { parseArgs } from 'node:util';
import { impossible, modes, type Mode } from './modes.ts';
import { startConformanceServer } from './server.ts';
import { faultsOf, problemsOf, runSuite, versionOfSuite } from './suite.ts';

const { values } = parseArgs({ options: { latest: { type: 'boolean', default: false } } });

const version = values.latest ? 'latest' : 'installed';

console.log(`Conformance suite ${await versionOfSuite(version)}`);
for (const mode of modes) {
  try {
    if (!(await passes(mode))) process.exitCode = 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

async function passes(mode: Mode): Promise<boolean> {
  const server = await startConformanceServer(mode);
  const result = await runSuite(server.url, version).finally(server.close);
  console.log(`\n${mode}`);
  let green = 0;
  for (const [scenario, results] of result.checks) {
    const isGreen = faultsOf(results).length === 0;
    if (isGreen) green += 1;
    const reason = impossible[mode].get(scenario);
    console.log(`${isGreen ? 'green' : 'not  '} ${scenario}${reason ? `  (${reason})` : ''}`);
  }
  const problems = problemsOf(result, impossible[mode]);
  for (const problem of problems) console.log(`WRONG ${problem}`);
  console.log(`${green} of ${result.checks.size} scenarios are green.`);
  return problems.length === 0;
}
