/**
 * Two hundred people at once, some of whom hang up, and each is told their own: where a page shows somebody
 * their words it does so for everybody, and a file that is one person’s is no other’s. Anybody else’s words are
 * noticed by `stage/listen.ts`, in every answer.
 */
import { hasParameters } from '../crawl/match';
import type { Person } from '../people/people';
import type { RouteUnderProof, Stage } from '../stage/stage';
import type { Check } from './check';

/** One of so many hangs up before the answer. Prime, so that each address has somebody who leaves. */
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
    const own = new Map(
      await Promise.all(reads.map(async (route) => [route, await showsOwn(route, stage)] as const)),
    );
    await Promise.all(
      crowd.map(async (person, number) => {
        for (const route of reads
          .slice(number % reads.length)
          .concat(reads.slice(0, number % reads.length))) {
          await askAs(person, number, route, own.get(route) ?? new Set(), stage);
        }
      }),
    );
    for (const route of reads) {
      await compareFiles(route, stage);
      stage.report.looked('other-people', route);
    }
  },
});

/** The addresses, good for anybody, at which the one who crawled was shown their own words. */
async function showsOwn(route: RouteUnderProof, stage: Stage): Promise<Set<string>> {
  const { seeded, ask } = stage;
  const shown = new Set<string>();
  if (hasParameters(route)) return shown;
  if (route.access === 'account') return showsAccount(route, stage);
  const [person] = seeded;
  for (const path of addressesOf(route, person)) {
    const { text } = await ask(person, { path });
    // Look for the name: everybody has one, while what they have made is theirs alone.
    const hasName = text.includes(`Person ${person.mark}`);
    if (hasName && !(await ask(null, { path })).text.includes(person.mark)) shown.add(path);
  }
  return shown;
}

/** The same for a site account, asked with one that has made nothing yet: only its name can be shown. */
async function showsAccount(
  route: RouteUnderProof,
  { seeded: [crawled], ask, site }: Stage,
): Promise<Set<string>> {
  const shown = new Set<string>();
  const account = site?.accounts.all.at(-1);
  if (!account) return shown;
  for (const path of addressesOf(route, crawled)) {
    const { text, status } = await ask({ ...crawled, account }, { path, only: 'account' });
    if (status < 300 && text.includes(account.mark)) shown.add(path);
  }
  return shown;
}

async function askAs(
  person: Person,
  number: number,
  route: RouteUnderProof,
  own: ReadonlySet<string>,
  { ask, report, seeded, platform }: Stage,
): Promise<void> {
  const addresses = seeded.flatMap((one) => addressesOf(route, one));
  const path = addresses[number % addresses.length];
  if (path === undefined) return;
  if (number % oneInLeaves === 0) {
    const signal = AbortSignal.timeout(1 + (number % 7));
    await ask(person, { path, signal }).catch(() => undefined);
    return;
  }
  const { text, status } = await ask(person, { path });
  const { mark } = (route.access === 'account' && person.account) || person;
  // On a busy machine the site may have given up on a platform that it asked with two hundred others.
  const wasTold = () =>
    platform.ledger
      .calls({ endpoint: 'user', persona: person.id })
      .filter(({ siteRequest }) => siteRequest?.path === path)
      .every((call) => call.status === 200 && call.outcome === 'answered');
  if (own.has(path) && !text.includes(mark) && wasTold()) {
    report.find(
      'other-people/own-missing',
      route,
      `GET ${path} (${status}) shows others their name, and ${mark} none.`,
    );
  }
}

/** A file has no words to know somebody by: its bytes are compared. */
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
      stage.ask(owner, { path }),
      stage.ask(other, { path }),
    ]);
    // What the platform gives to both, such as a file of a workspace that they share, is both's.
    if (given().length > before) continue;
    if (theirs.status < 300 && got.status < 300 && theirs.bytes.equals(got.bytes)) {
      stage.report.find(
        'other-people/same-file',
        route,
        `GET ${path} gives one person’s file to another.`,
      );
    }
  }
}

function addressesOf(route: RouteUnderProof, person: Person): readonly string[] {
  return route.addresses.get(person) ?? [];
}
