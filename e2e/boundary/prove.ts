/** The whole proof: opens the stage, runs every check, and gives what they said. */
import type { Check } from './checks/check';
import { guardFirst } from './checks/guard-first';
import { kept } from './checks/kept';
import { leaks } from './checks/leaks';
import { otherPeople } from './checks/other-people';
import { otherSites } from './checks/other-sites';
import { signedOut } from './checks/signed-out';
import { trouble } from './checks/trouble';
import { openStage, type StageOptions } from './stage/open-stage';
import type { Gathered } from './stage/report';

/** What can be asked without a browser. */
const checks: readonly Check[] = [signedOut, guardFirst, otherPeople, kept, trouble, otherSites];

export async function prove(options: StageOptions): Promise<Gathered> {
  const t0 = performance.now();
  const stage = await openStage(options);
  console.error('stage', performance.now() - t0);
  try {
    await Promise.all(
      checks.map(async (check) => {
        const t = performance.now();
        await check.run(stage);
        console.error(check.name, performance.now() - t);
      }),
    );
    await leaks.run(stage);
    return stage.gathered();
  } finally {
    await stage.close();
  }
}
