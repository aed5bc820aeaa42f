/** Every kind of request that reaches a route: document, data, one loader alone, every method, every form. */
import { dataAddressOf, plainAddressOf } from '../crawl/match.ts';
import type { Inventory } from '../inventory/route.ts';
import type { SiteRequest } from '../people/site-request.ts';
import type { RouteUnderProof, Stage } from '../stage/stage.ts';

const unsafe = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Requests with the first crawler's addresses and submissions. */
export function formsOf(
  route: RouteUnderProof,
  stage: Stage,
): { reads: SiteRequest[]; writes: SiteRequest[] } {
  const addresses = addressesOf(route, stage);
  const submissions = route.submissions.get(stage.seeded[0]) ?? [];
  return {
    reads: addresses.flatMap((path) => readsOf(path, route, stage.inventory)),
    writes: [
      ...addresses.slice(0, 1).flatMap((path) => unsafe.map((method) => bareForm(path, method))),
      ...submissions.flatMap((submission) => postsOf(submission, route, stage.inventory)),
    ],
  };
}

/** The addresses that either crawler found, and the route's own path where it has no parameters. */
export function addressesOf(route: RouteUnderProof, { seeded }: Stage): readonly string[] {
  const found = seeded.flatMap((person) => route.addresses.get(person) ?? []);
  const plain = plainAddressOf(route);
  return [...new Set([...found, ...(plain !== null && !route.isLayout ? [plain] : [])])];
}

export function readsOf(path: string, route: RouteUnderProof, inventory: Inventory): SiteRequest[] {
  const plain = [{ path }, { path, method: 'HEAD' }];
  if (inventory.homeData === null) return plain;
  return [
    ...plain,
    { path: dataAddressOf(inventory, path) },
    ...(route.loader ? [{ path: dataAddressOf(inventory, path, route.id) }] : []),
  ];
}

/** A form post with a field that no route expects. */
export function bareForm(path: string, method: string): SiteRequest {
  return {
    path,
    method,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'text=words',
  };
}

export function postsOf(
  submission: SiteRequest,
  route: RouteUnderProof,
  inventory: Inventory,
): SiteRequest[] {
  if (inventory.homeData === null || route.kind !== 'page') return [submission];
  return [submission, { ...submission, path: dataAddressOf(inventory, submission.path) }];
}
