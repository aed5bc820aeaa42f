/** Whose words a response contains: never another person's, except what that person publishes. */
import type { ReceivedResponse } from '@gatehouse/simulator/http';
import type { Platform } from '@gatehouse/simulator/platform';
import type { FindingCode } from '../findings/finding.ts';
import type { Inventory, Route } from '../inventory/route.ts';
import type { Account, Person } from '../people/people.ts';
import type { SiteRequest } from '../people/site-request.ts';
import { markOf, wordsIn } from '../people/words.ts';
import type { ShownValue } from './published.ts';
import type { Report, SiteSide } from './stage.ts';
import { withoutFile } from './store.ts';

export interface Exchange {
  who: Person | null;
  request: SiteRequest;
  response: ReceivedResponse;
  /** What the visitor might see of others when the request was sent, by `published` in `e2e/site.ts`. */
  shown: readonly ShownValue[];
}

/** The parts of the stage that the rules need. */
export interface Surroundings {
  inventory: Inventory;
  report: Report;
  platform: Pick<Platform<unknown>, 'internalUrl'>;
  site: Pick<SiteSide, 'accounts' | 'published'> | null;
}

/** Reports words of other people, except what they publish. */
export function inspectWords(
  { who, request, response, shown }: Exchange,
  route: Route | null,
  at: string,
  { report, site }: Surroundings,
): void {
  const text = response.text + response.rawHeaders.join('\n');
  const own = marksOf(who, request);
  // A site may echo what the request sent.
  const sent = wordsIn(`${request.path}\n${request.body?.toString('latin1') ?? ''}`);
  const isForeign = (word: string) => !own.has(markOf(word)) && !sent.has(word);
  if (![...wordsIn(text)].some(isForeign)) return;
  const rules = site?.published;
  if (route && rules?.isUnknown(route)) {
    report.notObserved('other-people', route, withoutFile);
    return;
  }
  // What was withdrawn or published meanwhile may have been seen before or after.
  const now = rules ? rules.shownOn(route, accountOf(who, request)) : [];
  const ofOthers = [...shown, ...now].filter((value) => [...wordsIn(value.text)].some(isForeign));
  const left = rules ? rules.excuse(text, ofOthers, route) : wordsIn(text);
  const whom = who ? 'requested by another person' : 'requested signed out';
  for (const word of [...left].filter(isForeign)) {
    const showsOthers = route?.showsPublished === true || route?.role !== undefined;
    const isElsewhere = !showsOthers && rules?.isPublic(word);
    const code: FindingCode = showsOthers
      ? 'other-people/not-published'
      : isElsewhere
        ? 'other-people/published-elsewhere'
        : 'other-people/somebody-else';
    report.find(code, route, `${at}, ${whom}, contains data of ${markOf(word)}.`);
  }
}

/** The account of the site that a request is sent with. */
export function accountOf(who: Person | null, { only }: SiteRequest): Account | null {
  return only === 'platform' ? null : (who?.account ?? null);
}

/** The markers that a response may contain: those of the sessions that the request carries. */
function marksOf(who: Person | null, { only }: SiteRequest): Set<string> {
  const own = new Set<string>();
  if (who && only !== 'account') own.add(who.mark);
  if (who?.account && only !== 'platform') own.add(who.account.mark);
  return own;
}
