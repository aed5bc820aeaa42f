/**
 * Checks a deployed site over HTTP, signed out. Checks that need the ledger, signed-in people or a browser are reported
 * as not observed.
 */
import type { AuthMode } from '@gatehouse/simulator';
import type { CheckName } from './findings/finding.ts';
import { checkNames } from './findings/finding.ts';
import { dataAddressOf, plainAddressOf } from './crawl/match.ts';
import type { Inventory, Route } from './inventory/route.ts';
import { isNotStored } from './stage/listen.ts';
import { createReport, type Gathered } from './stage/report.ts';
import { reasonOf } from './stage/stage.ts';

/** Milliseconds. */
const respondWithin = 30_000;

const observable: readonly CheckName[] = ['signed-out', 'kept', 'other-sites'];

export async function proveFromOutside(
  origin: string,
  inventory: Inventory,
  selected: ReadonlySet<Route>,
  auth?: AuthMode,
): Promise<Gathered> {
  const report = createReport(auth);
  const routes = inventory.routes.filter((route) => selected.has(route));
  const sameOrigin = { origin: new URL(origin).origin, 'sec-fetch-site': 'same-origin' };
  let responses = 0;
  const send = async (path: string, init: RequestInit = {}) => {
    const signal = AbortSignal.timeout(respondWithin);
    const response = await fetch(new URL(path, origin), {
      redirect: 'manual',
      signal,
      ...init,
    }).catch((error: unknown) => {
      const { message, cause } = error as Error;
      const why = cause instanceof Error ? cause.message : message;
      throw new Error(`${new URL(path, origin).href} did not respond: ${why}`, { cause: error });
    });
    responses += 1;
    await response.body?.cancel();
    return response;
  };

  const checkRoute = async (route: Route): Promise<void> => {
    const path = route.isLayout ? null : plainAddressOf(route);
    for (const check of checkNames) {
      if (!observable.includes(check)) {
        report.notObserved(
          check,
          route,
          'from outside, neither the site’s calls nor signed-in visitors can be observed',
        );
      } else if (path === null) {
        report.notObserved(
          check,
          route,
          'the path has parameters, and only a signed-in crawl finds their values',
        );
      }
    }
    if (path === null) return;
    const isPage = route.kind === 'page' && inventory.homeData !== null;
    for (const [method, address] of [
      ['GET', path],
      ['HEAD', path],
      ...(isPage ? [['GET', dataAddressOf(inventory, path)] as const] : []),
      // A webhook might act on a made-up request.
      ...(route.access === 'machine'
        ? []
        : ([
            ['POST', path],
            ['DELETE', path],
          ] as const)),
    ] as const) {
      // Without an `Origin` header the site rejects a write before any route runs.
      const own = ['GET', 'HEAD'].includes(method) ? {} : sameOrigin;
      const { status, headers } = await send(address, { method, headers: own });
      const at = `${method} ${address}`;
      if (status >= 500)
        report.find('signed-out/server-error', route, `Signed out, ${at} returned ${status}.`);
      const kept = headers.get('cache-control') ?? '';
      const mayBeKept =
        route.isPublic &&
        address === path &&
        ['GET', 'HEAD'].includes(method) &&
        !headers.has('set-cookie');
      if (!isNotStored(kept) && !mayBeKept) {
        const message = `${at} (${status}) has cache-control “${kept}”, without no-store.`;
        report.find('kept/cacheable', route, message);
      }
    }
    report.checked('signed-out', route);
    report.checked('kept', route);
    if (!route.action || route.access === 'machine') return;
    for (const from of ['https://other.example', 'null']) {
      const { status } = await send(path, {
        method: 'POST',
        headers: { origin: from },
        body: 'text=words',
      });
      if (status !== 403)
        report.find(
          'other-sites/accepted',
          route,
          `POST ${path} with origin ${from} returned ${status} instead of 403.`,
        );
    }
    report.checked('other-sites', route);
  };
  for (const route of routes) {
    try {
      await checkRoute(route);
    } catch (error) {
      // Without any response there is no site to test.
      if (responses === 0) throw error;
      report.find('trouble/no-response', route, `${reasonOf(error)}.`);
      for (const check of observable) report.notObserved(check, route, reasonOf(error));
    }
  }
  return report.gathered(routes, inventory.routes, []);
}
