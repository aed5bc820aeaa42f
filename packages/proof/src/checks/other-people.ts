/**
 * Isolation between visitors under load: 200 people send requests concurrently, and some abort them. A page that shows
 * visitors their name must do so for everybody, and one person's file is never returned to another. `stage/listen.ts`
 * reports other people's data in every response.
 */
import { hasParameters } from '../crawl/match.ts';
import type { Person } from '../people/people.ts';
import type { RouteUnderProof, Stage } from '../stage/stage.ts';
import { checkRoutes, inSequence, reportUntested, type Check } from './check.ts';

/** One in so many people aborts the request. Prime, so that every address has some requests aborted. */
const oneInLeaves = 11;

export const otherPeople = (crowdSize = 200): Check => ({
  name: 'other-people',
  async run(stage) {
    const crowd = stage.addPeople(crowdSize);
    const accounts = stage.site?.accounts.all ?? [];
    for (const [number, person] of crowd.entries()) {
      const account = accounts[number % accounts.length];
      if (account) person.account = account;
    }
    const reads = stage.routes.filter((route) => addressesOf(route, stage.seeded[0]).length > 0);
    const own = new Map<RouteUnderProof, Set<string>>();
    const learn = async (route: RouteUnderProof) => {
      own.set(route, await showsOwn(route, stage));
    };
    await checkRoutes(stage, 'other-people', reads, learn, { concurrency: Infinity });
    await Promise.all(
      crowd.map(async (person, number) => {
        for (const route of reads
          .slice(number % reads.length)
          .concat(reads.slice(0, number % reads.length))) {
          await sendAs(person, number, route, own.get(route) ?? new Set(), stage).catch(
            (error: unknown) => {
              reportUntested(stage, 'other-people', route, error);
            },
          );
        }
      }),
    );
    const compare = async (route: RouteUnderProof) => {
      await compareFiles(route, stage);
      stage.report.checked('other-people', route);
    };
    await checkRoutes(stage, 'other-people', reads, compare, inSequence);
  },
});

/** Addresses without parameters that show visitors their own name. */
async function showsOwn(route: RouteUnderProof, stage: Stage): Promise<Set<string>> {
  const { seeded, send } = stage;
  const shown = new Set<string>();
  // Of those who share the accounts, some lack the role.
  if (hasParameters(route) || route.role !== undefined) return shown;
  if (route.access === 'account') return showsAccount(route, stage);
  const [person] = seeded;
  for (const path of addressesOf(route, person)) {
    const { text } = await send(person, { path });
    // The name is the only data that everybody has: the crowd has created nothing.
    const hasName = text.includes(`Person ${person.mark}`);
    if (hasName && !(await send(null, { path })).text.includes(person.mark)) shown.add(path);
  }
  return shown;
}

/** The same for a site account, with one that has created nothing: only its name can be shown. */
async function showsAccount(
  route: RouteUnderProof,
  { seeded: [crawled], send, site }: Stage,
): Promise<Set<string>> {
  const shown = new Set<string>();
  const account = site?.accounts.all.at(-1);
  if (!account) return shown;
  for (const path of addressesOf(route, crawled)) {
    const { text, status } = await send({ ...crawled, account }, { path, only: 'account' });
    if (status < 300 && text.includes(account.mark)) shown.add(path);
  }
  return shown;
}

async function sendAs(
  person: Person,
  number: number,
  route: RouteUnderProof,
  own: ReadonlySet<string>,
  { send, report, seeded, platform }: Stage,
): Promise<void> {
  const addresses = seeded.flatMap((item) => addressesOf(route, item));
  const path = addresses[number % addresses.length];
  if (path === undefined) return;
  if (number % oneInLeaves === 0) {
    const signal = AbortSignal.timeout(1 + (number % 7));
    await send(person, { path, signal }).catch(() => undefined);
    return;
  }
  const { text, status } = await send(person, { path });
  const { mark } = (route.access === 'account' && person.account) || person;
  // On a busy machine the guard's call may time out among two hundred others: the page is then right to show no name.
  const gotProfile = () =>
    platform.ledger
      .calls({ endpoint: 'user', persona: person.id })
      .filter(({ siteRequest }) => siteRequest?.path === path)
      .every((call) => call.status === 200 && call.outcome === 'answered');
  const isTurnedAway = status === 429 || status === 503;
  if (own.has(path) && !isTurnedAway && !text.includes(mark) && gotProfile()) {
    report.find(
      'other-people/own-missing',
      route,
      `GET ${path} (${status}) shows other visitors their name, but not ${mark}.`,
    );
  }
}

/** A file carries no marker of its owner, so bytes are compared. */
async function compareFiles(route: RouteUnderProof, stage: Stage): Promise<void> {
  const [owner, other] = stage.seeded;
  if (route.kind !== 'resource' || route.operations.loader.size === 0 || !hasParameters(route))
    return;
  for (const path of addressesOf(route, owner)) {
    const given = () =>
      stage.platform.ledger
        .calls({ persona: other.id })
        .filter(
          ({ siteRequest, endpoint, status }) =>
            siteRequest?.path === path && endpoint !== 'user' && status !== null && status < 300,
        );
    const before = given().length;
    const [theirs, got] = await Promise.all([
      stage.send(owner, { path }),
      stage.send(other, { path }),
    ]);
    // The platform itself served the file to the other person, as with a shared workspace.
    if (given().length > before) continue;
    if (theirs.status < 300 && got.status < 300 && theirs.bytes.equals(got.bytes)) {
      stage.report.find(
        'other-people/same-file',
        route,
        `GET ${path} returns one person’s file to another.`,
      );
    }
  }
}

function addressesOf(route: RouteUnderProof, person: Person): readonly string[] {
  return route.addresses.get(person) ?? [];
}
