/**
 * Two hundred people at once, some of whom hang up, and each is told their own: where a page shows somebody
 * their words it does so for everybody, and a file that is one person’s is no other’s. Anybody else’s words are
 * noticed by `stage/listen.ts`, in every answer.
 */
import type { Person } from '../stage/people';
import type { RouteUnderProof, Stage } from '../stage/stage';
import type { Check } from './check';

/** One of so many hangs up before the answer. */
const oneInLeaves = 10;

export const otherPeople = (crowdSize = 200): Check => ({
  name: 'other-people',
  async run(stage) {
    const crowd = stage.addPeople(crowdSize);
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
async function showsOwn(
  route: RouteUnderProof,
  { seeded: [person], ask }: Stage,
): Promise<Set<string>> {
  const shown = new Set<string>();
  if (route.path.includes(':')) return shown;
  for (const path of addressesOf(route, person)) {
    const { text } = await ask(person, { path });
    // In their name, which everybody has. What they made, nobody else has.
    const hasName = text.includes(`Person ${person.mark}`);
    if (hasName && !(await ask(null, { path })).text.includes(person.mark)) shown.add(path);
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
  const addresses = addressesOf(route, seeded[number % 2 === 0 ? 0 : 1]);
  const path = addresses[number % addresses.length];
  if (path === undefined) return;
  if (number % oneInLeaves === 0) {
    const signal = AbortSignal.timeout(1 + (number % 7));
    await ask(person, { path, signal }).catch(() => undefined);
    return;
  }
  const { text, status } = await ask(person, { path });
  // On a busy machine the site may have given up on a platform that it asked with two hundred others.
  const wasTold = () =>
    platform.ledger
      .calls({ endpoint: 'user', persona: person.id, path })
      .every((call) => call.status === 200 && call.outcome === 'answered');
  if (own.has(path) && !text.includes(person.mark) && wasTold()) {
    report.find(
      'other-people/own-missing',
      route,
      `GET ${path} (${status}) shows others their name, and ${person.mark} none.`,
    );
  }
}

/** A file has no words to know somebody by: its bytes are compared. */
async function compareFiles(route: RouteUnderProof, stage: Stage): Promise<void> {
  const [owner, other] = stage.seeded;
  if (route.kind !== 'resource' || route.operations.loader.size === 0 || !route.path.includes(':'))
    return;
  for (const path of addressesOf(route, owner)) {
    const [theirs, got] = await Promise.all([
      stage.ask(owner, { path }),
      stage.ask(other, { path }),
    ]);
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
