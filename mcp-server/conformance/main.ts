/**
 * Runs the official conformance suite against a server made of this package's parts.
 * `--latest` fetches the newest suite, and the Node 22 that it needs, from npm.
 */
import { parseArgs } from 'node:util';
import { startConformanceServer } from './server.ts';
import { faultsOf, runSuite } from './suite.ts';

const { values } = parseArgs({ options: { latest: { type: 'boolean', default: false } } });

const server = await startConformanceServer();
try {
  const { checks } = await runSuite(server.url, values.latest ? 'latest' : 'installed');
  let green = 0;
  for (const [scenario, results] of checks) {
    const faults = faultsOf(results);
    if (faults.length === 0) green += 1;
    console.log(`${faults.length === 0 ? 'green' : 'RED  '} ${scenario}`);
    for (const fault of faults) console.log(`      ${fault}`);
  }
  console.log(`\n${green} of ${checks.size} scenarios are green.`);
  process.exitCode = green === checks.size ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await server.close();
}
