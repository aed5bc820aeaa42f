/**
 * Checks a deployed site over HTTP, signed out. Checks that need the ledger, people or a browser are reported as not
 * observed.
 */
import type { CheckName } from './findings/finding';
import { checkNames } from './findings/finding';
import { dataAddressOf, plainAddressOf } from './crawl/match';
import type { Inventory, Route } from './inventory/route';
import { createReport, type Gathered } from './stage/report';

/** Milliseconds. */
const answerWithin = 30_000;

const observable: readonly CheckName[] = ['signed-out', 'kept', 'other-sites'];

export async function proveFromOutside(
  origin: string,
  inventory: Inventory,
  isWanted: (route: Route) => boolean,
): Promise<Gathered> {
  const report = createReport();
  const routes = inventory.routes.filter(isWanted);
  const sameOrigin = { origin: new URL(origin).origin, 'sec-fetch-site': 'same-origin' };
  const ask = async (path: string, init: RequestInit = {}) => {
    const signal = AbortSignal.timeout(answerWithin);
    const answer = await fetch(new URL(path, origin), {
      redirect: 'manual',
      signal,
      ...init,
    }).catch((error: unknown) => {
      const { message, cause } = error as Error;
      const why = cause instanceof Error ? cause.message : message;
      throw new Error(`${new URL(path, origin).href} does not answer: ${why}`, { cause: error });
    });
    await answer.body?.cancel();
    return answer;
  };

  for (const route of routes) {
    const path = route.isLayout ? null : plainAddressOf(route);
    for (const check of checkNames) {
      if (!observable.includes(check)) {
        report.notObserved(
          check,
          route,
          'a site that runs elsewhere shows neither its calls nor its people',
        );
      } else if (path === null) {
        report.notObserved(
          check,
          route,
          'its address has parameters, and nobody is signed in to find one',
        );
      }
    }
    if (path === null) continue;
    const isPage = route.kind === 'page' && inventory.hasDataRequests;
    for (const [method, address] of [
      ['GET', path],
      ['HEAD', path],
      ...(isPage ? [['GET', dataAddressOf(path)] as const] : []),
      // A webhook acts upon whatever it is sent.
      ...(route.access === 'machine'
        ? []
        : ([
            ['POST', path],
            ['DELETE', path],
          ] as const)),
    ] as const) {
      // Without an origin the site refuses a write before any route runs.
      const own = ['GET', 'HEAD'].includes(method) ? {} : sameOrigin;
      const { status, headers } = await ask(address, { method, headers: own });
      const at = `${method} ${address}`;
      if (status >= 500)
        report.find('signed-out/server-error', route, `Signed out, ${at} is answered ${status}.`);
      const kept = headers.get('cache-control') ?? '';
      if (!/(^|,)\s*no-store\s*(,|$)/i.test(kept) && !route.isPublic) {
        report.find('kept/cacheable', route, `${at} (${status}) has cache-control “${kept}”.`);
      }
    }
    report.looked('signed-out', route);
    report.looked('kept', route);
    if (!route.action || route.access === 'machine') continue;
    for (const from of ['https://other.example', 'null']) {
      const { status } = await ask(path, {
        method: 'POST',
        headers: { origin: from },
        body: 'text=words',
      });
      if (status !== 403)
        report.find(
          'other-sites/accepted',
          route,
          `POST ${path} from ${from} is answered ${status}, not 403.`,
        );
    }
    report.looked('other-sites', route);
  }
  return report.gathered(routes);
}
