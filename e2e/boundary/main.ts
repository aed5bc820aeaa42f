/** `npm run boundary`: proves the built site, and says what to mend. */
import { readBuiltRoutes } from './inventory/built-routes';
import { childEnv } from '../harness/programs/env';
import { loadSite } from '../harness/programs/load-site';
import { repository } from '../harness/programs/program';
import { prove } from './prove';
import { terminalReport } from './report/terminal';

const began = performance.now();
const inventory = await readBuiltRoutes(
  repository,
  childEnv({ PLATFORM_INTERNAL_URL: 'http://127.0.0.1:9', SITE_ORIGIN: 'http://site.localhost:9' }),
);
const proof = await prove({ definition: await loadSite(), inventory });
console.log(terminalReport(proof, (performance.now() - began) / 1000));
if (proof.findings.length > 0) process.exitCode = 1;
