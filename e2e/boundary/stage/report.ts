/** Gathers what the checks say, and settles what stands in the table. */
import { checkNames, checkOf, type CheckName, type Finding } from '../findings/finding';
import type { Route } from '../inventory/route';
import type { Report } from './stage';

export interface Outcome {
  route: string;
  file: string;
  kind: Route['kind'];
  /** Its address is that of the pages around which it stands. */
  isLayout: boolean;
  /** `none` where the rule does not concern the route. */
  results: Record<CheckName, Result>;
}

export type Result = { is: 'proven' | 'broken' | 'none' } | { is: 'not-observed'; why: string };

export interface Gathered {
  findings: Finding[];
  outcomes: Outcome[];
}

/** Null where nothing is broken, and not everything was observed. */
export function holds({ findings, outcomes }: Gathered): boolean | null {
  if (findings.length > 0) return false;
  return unobserved(outcomes) === 0 ? true : null;
}

/** One sentence for the whole. */
export function verdictOf(gathered: Gathered): string {
  const { findings, outcomes } = gathered;
  if (findings.length > 0)
    return findings.length === 1 ? '1 finding' : `${findings.length} findings`;
  if (holds(gathered)) return 'The boundary holds';
  return `No findings, and ${unobserved(outcomes)} of ${outcomes.length * checkNames.length} results not observed`;
}

function unobserved(outcomes: readonly Outcome[]): number {
  const results = outcomes.flatMap((outcome) => Object.values(outcome.results));
  return results.filter(({ is }) => is === 'not-observed').length;
}

/** At most so many findings for one code of one route. */
const perCode = 3;
/** What belongs to no route, such as a line of the log, may come from many. */
const perCodeWithoutRoute = 20;

export interface OpenReport extends Report {
  /** The site is gone: what is asked from now on says nothing of it. */
  end: (message: string) => void;
  gathered: (routes: readonly Route[]) => Gathered;
}

export function createReport(): OpenReport {
  const findings: (Finding & { routeId: string | null })[] = [];
  const looked = new Map<string, Set<CheckName>>();
  const missed = new Map<string, Map<CheckName, string>>();
  let hasEnded = false;

  return {
    find(code, route, message) {
      if (hasEnded) return;
      const alike = findings.filter(
        (one) => one.code === code && one.routeId === (route?.id ?? null),
      );
      const most = route ? perCode : perCodeWithoutRoute;
      if (alike.length >= most || alike.some((one) => one.message === message)) return;
      findings.push({
        code,
        route: route?.path ?? '*',
        file: route?.file ?? null,
        message,
        routeId: route?.id ?? null,
      });
    },
    end(message) {
      this.find('trouble/site-ended', null, message);
      hasEnded = true;
    },
    looked(check, { id }) {
      if (hasEnded) return;
      looked.set(id, (looked.get(id) ?? new Set()).add(check));
    },
    notObserved(check, { id }, why) {
      missed.set(id, (missed.get(id) ?? new Map<CheckName, string>()).set(check, why));
    },
    gathered(routes) {
      const resultOf = (route: Route, check: CheckName): Result => {
        const isBroken = findings.some(
          ({ routeId, code }) => routeId === route.id && checkOf(code) === check,
        );
        if (isBroken) return { is: 'broken' };
        const why = missed.get(route.id)?.get(check);
        if (why !== undefined) return { is: 'not-observed', why };
        return { is: looked.get(route.id)?.has(check) ? 'proven' : 'none' };
      };
      return {
        findings: findings.map(({ code, route, file, message }) => ({
          code,
          route,
          file,
          message,
        })),
        outcomes: routes.map((route) => ({
          route: route.path,
          file: route.file,
          kind: route.kind,
          isLayout: route.isLayout,
          results: Object.fromEntries(
            checkNames.map((check) => [check, resultOf(route, check)]),
          ) as Outcome['results'],
        })),
      };
    },
  };
}
