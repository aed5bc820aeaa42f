/** Collects the findings of all checks, and the result of each check for each route. */
import type { AuthMode } from '@gatehouse/simulator';
import { checkNames, checkOf, type CheckName, type Finding } from '../findings/finding.ts';
import type { Route } from '../inventory/route.ts';
import type { Excused } from './published.ts';
import type { Report } from './stage.ts';

export interface Outcome {
  route: string;
  file: string;
  kind: Route['kind'];
  /** A layout has no address of its own. */
  isLayout: boolean;
  /** `none` where the check does not apply to the route. */
  results: Record<CheckName, Result>;
}

export type Result = { is: 'proven' | 'broken' | 'none' } | { is: 'not-observed'; why: string };

export interface Gathered {
  /** The site's auth mode: what the reports advise depends on it. */
  auth: AuthMode;
  findings: Finding[];
  outcomes: Outcome[];
  /** The paths of routes that `--routes` left out. */
  notSelected: string[];
  /** What `published` in `e2e/site.ts` has excused: each is somebody's row that another person has seen. */
  excused: readonly Excused[];
}

/** Null if there are no findings but some results were not observed. */
export function holds({ findings, outcomes }: Gathered): boolean | null {
  if (findings.length > 0) return false;
  return unobserved(outcomes) === 0 ? true : null;
}

/** The overall result in one sentence. */
export function verdictOf(gathered: Gathered): string {
  const { findings, outcomes, notSelected } = gathered;
  if (findings.length > 0)
    return findings.length === 1 ? '1 finding' : `${findings.length} findings`;
  if (holds(gathered))
    return notSelected.length === 0
      ? 'The boundary holds'
      : 'The boundary holds on the selected routes';
  return `No findings, but ${unobserved(outcomes)} of ${outcomes.length * checkNames.length} results were not observed`;
}

/** One sentence for each table of `published`. */
export function excusedIn({ excused }: Gathered): string[] {
  return excused.map(({ table, rows, values, routes }) =>
    rows === 0
      ? `${table}: nothing`
      : `${table}: ${values === 1 ? '1 value' : `${values} values`} of ${rows === 1 ? '1 row' : `${rows} rows`}, on ${routes.join(', ')}`,
  );
}

/** How many routes the report is about. */
export function routesIn({ outcomes, notSelected }: Gathered): string {
  const all = outcomes.length + notSelected.length;
  return notSelected.length === 0 ? `${all} routes` : `${outcomes.length} of ${all} routes`;
}

function unobserved(outcomes: readonly Outcome[]): number {
  const results = outcomes.flatMap((outcome) => Object.values(outcome.results));
  return results.filter(({ is }) => is === 'not-observed').length;
}

/** The most findings per code and route. */
const perCode = 3;
/** A finding without a route, such as a log line, may come from any of them. */
const perCodeWithoutRoute = 20;

export interface OpenReport extends Report {
  /** The site has exited: reports this, and ignores all later results. */
  end: (message: string) => void;
  gathered: (
    selected: readonly Route[],
    all: readonly Route[],
    excused: readonly Excused[],
  ) => Gathered;
}

export function createReport(auth: AuthMode = 'platform'): OpenReport {
  const findings: (Finding & { routeId: string | null })[] = [];
  const checked = new Map<string, Set<CheckName>>();
  const missed = new Map<string, Map<CheckName, string>>();
  let hasEnded = false;

  return {
    find(code, route, message) {
      if (hasEnded) return;
      const alike = findings.filter(
        (finding) => finding.code === code && finding.routeId === (route?.id ?? null),
      );
      const most = route ? perCode : perCodeWithoutRoute;
      if (alike.length >= most || alike.some((finding) => finding.message === message)) return;
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
    checked(check, { id }) {
      if (hasEnded) return;
      checked.set(id, (checked.get(id) ?? new Set()).add(check));
    },
    notObserved(check, { id }, why) {
      missed.set(id, (missed.get(id) ?? new Map<CheckName, string>()).set(check, why));
    },
    gathered(routes, all, excused) {
      const resultOf = (route: Route, check: CheckName): Result => {
        const isBroken = findings.some(
          ({ routeId, code }) => routeId === route.id && checkOf(code) === check,
        );
        if (isBroken) return { is: 'broken' };
        const why = missed.get(route.id)?.get(check);
        if (why !== undefined) return { is: 'not-observed', why };
        return { is: checked.get(route.id)?.has(check) ? 'proven' : 'none' };
      };
      return {
        auth,
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
        excused,
        notSelected: all.filter(({ id }) => !routes.some((route) => route.id === id)).map(pathOf),
      };
    },
  };
}

function pathOf({ path, isLayout }: Route): string {
  return isLayout ? `${path} (layout)` : path;
}
