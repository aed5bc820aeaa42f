/** Forms that the site has never accepted: what they lead to is not proven. */
import type { Found } from '../crawl/crawl.ts';
import type { Report, RouteUnderProof } from './stage.ts';

/**
 * A form that the site has never accepted may lead to rows and pages that no check has seen. A request of `e2e/site.ts` to
 * the same route makes up for it. So does another form to it with fields to type in, where this one has none: a script
 * adds them.
 */
export function reportUnaccepted(
  found: readonly Found[],
  routes: readonly RouteUnderProof[],
  report: Report,
): void {
  for (const route of routes) {
    const sent = found.flatMap(({ forms }) =>
      [...forms].filter(([, form]) => form.route?.id === route.id),
    );
    const accepted = sent.filter(([, { isAccepted }]) => isAccepted);
    const isCovered = (key: string, makes: boolean) =>
      accepted.some(
        ([acceptedKey, form]) =>
          acceptedKey === key || form.names === null || (!makes && form.makes),
      );
    // One without fields is refused for what it is about, such as an order that has ended.
    const refused = sent.find(([key, { names, makes }]) => names?.length && !isCovered(key, makes));
    if (!refused) continue;
    const why = `the site never accepted ${refused[1].at}, so what it leads to is not proven: add such a request to \`requests\` in e2e/site.ts`;
    report.notObserved('other-people', route, why);
  }
}
