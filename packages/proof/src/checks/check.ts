import pLimit from 'p-limit';
import { reasonOf, NoResponse, type RouteUnderProof, type Stage } from '../stage/stage.ts';
import type { CheckName } from '../findings/finding.ts';
import { BrowserUnusable } from '../visit/proof-browser.ts';

export interface Check {
  name: CheckName;
  /** Checks every route of the stage, concurrently where possible. */
  run: (stage: Stage) => Promise<void>;
}

/** With all routes at once, a slow machine exceeds the site's own deadlines. */
export const fewAtOnce = { concurrency: 4 };

export const inSequence = { concurrency: 1 };

/** Checks each route. What is thrown meanwhile is a finding of that route, and the other routes are still checked. */
export async function checkRoutes(
  stage: Stage,
  name: CheckName,
  routes: readonly RouteUnderProof[],
  checkRoute: (route: RouteUnderProof) => Promise<void>,
  { concurrency }: { concurrency: number } = fewAtOnce,
): Promise<void> {
  const check = async (route: RouteUnderProof) => {
    try {
      await checkRoute(route);
    } catch (error) {
      // Not about this route, or already reported.
      if (error instanceof BrowserUnusable) throw error;
      reportUntested(stage, name, route, error);
    }
  };
  await pLimit(concurrency).map(routes, check);
}

/** Reports that a route could not be tested. The same reason in several checks is one finding. */
export function reportUntested(
  { report }: Pick<Stage, 'report'>,
  name: CheckName,
  route: RouteUnderProof,
  error: unknown,
): void {
  const why = reasonOf(error);
  if (!(error instanceof NoResponse)) {
    report.find('trouble/not-tested', route, `${route.path} could not be tested: ${why}.`);
  }
  report.notObserved(name, route, why);
}
