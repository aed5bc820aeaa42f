/** Prepares what `e2e/site.ts` says as a person, and starts that person's crawl. */
import type { SiteDefinition } from '@gatehouse/simulator';
import type { ReceivedResponse } from '@gatehouse/simulator/http';
import type { Platform } from '@gatehouse/simulator/platform';
import { openCrawl, type Crawl, type CrawlOptions } from '../crawl/crawl.ts';
import type { Inventory, Route } from '../inventory/route.ts';
import type { Person } from '../people/people.ts';
import { sendFormAt } from '../crawl/person-request.ts';
import type { SiteRequest } from '../people/site-request.ts';
import { markPlaceholder, type FieldMarks } from '../people/words.ts';
import { nullIfNoResponse, reasonOf, type Report } from './stage.ts';

/** Milliseconds to advance the simulator’s clock, so that submitted jobs finish. */
const workTime = 120_000;

interface StarterParts<State> extends Pick<CrawlOptions, 'renewAccount'> {
  definition: SiteDefinition<State>;
  inventory: Inventory;
  platform: Platform<State>;
  report: Report;
  send: (who: Person, request: SiteRequest) => Promise<ReceivedResponse>;
  fieldMarks: FieldMarks;
}

/** @returns a function that starts a person's crawl, brief where `only` says which routes' forms to send. */
export function crawlStarter<State>(parts: StarterParts<State>) {
  const { definition, inventory, platform, report, send, fieldMarks, renewAccount } = parts;
  const { auth, addresses = [] } = definition;
  const partsOf = (person: Person) => ({
    state: platform.state,
    person: person.id,
    profile: platform.personas.find(({ id }) => id === person.id)?.profile,
  });
  const prepare = async (person: Person): Promise<readonly string[]> => {
    const { account } = person;
    // Without an account a person can do nothing in such a site.
    if (!definition.prepare || (auth === 'in-app' && !account)) return [];
    const sendAs = (request: SiteRequest) => send(person, fieldMarks.withFreshMarks(request));
    const visit = (path: string, request: Omit<SiteRequest, 'path'> = {}) =>
      sendAs({ ...request, path });
    return definition.prepare({
      ...partsOf(person),
      account: account ? { name: account.name, email: account.email } : null,
      words: `${markPlaceholder((account ?? person).mark)}, words of a lighthouse`,
      visitor: {
        send: visit,
        get: (path, headers) => visit(path, headers && { headers }),
        post: (path, request) => visit(path, { method: 'POST', ...request }),
      },
      request: (address, fields = {}) =>
        sendFormAt(address, fields, { person, inventory, send: sendAs }),
    });
  };

  return async (person: Person, only?: (route: Route) => boolean): Promise<Crawl> => {
    const given = partsOf(person);
    const prepared = await prepare(person);
    return openCrawl(person, {
      inventory,
      send: (who, request) => send(who, fieldMarks.withFreshMarks(request)).catch(nullIfNoResponse),
      reportUntested: (route, error) => {
        const message = `The crawl could not read ${route.path}: ${reasonOf(error)}.`;
        report.find('trouble/not-tested', route, message);
      },
      ...(only && { only }),
      addresses: [...addresses, ...prepared],
      requests: (definition.requests?.(given) ?? []).map((request) =>
        typeof request === 'function' ? request(given) : request,
      ),
      letWorkEnd: () => {
        platform.clock.advance(workTime);
      },
      renewAccount,
    });
  };
}
