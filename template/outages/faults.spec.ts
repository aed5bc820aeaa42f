/**
 * Every fault of the simulator on every endpoint, at every door of the site that leads there: a clear
 * and sanitised answer, no call that should not be, nothing half done. The simulator's own tables say
 * which faults and endpoints there are, `fault-answers.ts` what is expected.
 */
import { Agent } from 'node:http';
import {
  askedEndpoints,
  canary,
  errorBody,
  faultAnswers,
  outcomeOf,
  strikesUser,
  type AnsweredKind,
  type AskedEndpoint,
  type Door,
  type FaultAnswer,
  type Outcome,
} from './fault-answers';
import { expect, test } from '../../e2e/fixtures';
import { FAULT_TABLE, type FaultKind } from '../../e2e/harness/internal-api/faults';
import { makePicture } from '../../e2e/flows/studio/saved-picture';
import { orderAsk } from '../boundary/order';
import type { Platform } from '../../e2e/platform';
import {
  formAsk,
  httpVisitor,
  type Answer,
  type HttpVisitor,
} from '../../e2e/harness/browser/visitor-http';

interface AskedDoor extends Door {
  ask: (visitor: HttpVisitor, picture: string) => Promise<Answer>;
}

/** No request waits for another, however slow, nor for a connection that has gone stale meanwhile. */
const agent = new Agent({ keepAlive: false });

const list = '/api/generations';
const words = { prompt: 'A sail' };

const doors: readonly AskedDoor[] = [
  { as: 'relay', status: 200, ask: (visitor) => visitor.get('/api/user') },
  { as: 'home', status: 200, ask: (visitor) => visitor.get('/') },
  { as: 'account', status: 200, ask: (visitor) => visitor.get('/account') },
  { as: 'studio', operation: 'list', status: 200, ask: (visitor) => visitor.get('/studio') },
  {
    as: 'studio data',
    operation: 'list',
    status: 200,
    ask: (visitor) => visitor.get('/studio.data'),
  },
  {
    as: 'form',
    operation: 'submit',
    status: 303,
    ask: (visitor) => visitor.post('/studio', formAsk(words)),
  },
  {
    as: 'form data',
    operation: 'submit',
    status: 200,
    ask: (visitor) => visitor.post('/studio.data', formAsk(words)),
  },
  { as: 'resource', operation: 'list', status: 200, ask: (visitor) => visitor.get(list) },
  {
    as: 'resource',
    operation: 'submit',
    status: 201,
    ask: (visitor) => visitor.post(list, orderAsk({ prompts: ['A sail'] })),
  },
  {
    as: 'resource',
    operation: 'status',
    status: 200,
    ask: (visitor, picture) => visitor.get(`${list}/${picture}`),
  },
  {
    as: 'resource',
    operation: 'output',
    status: 200,
    ask: (visitor, picture) => visitor.get(`${list}/${picture}/output.png`),
  },
];

const isAnswered = (kind: FaultKind): kind is AnsweredKind => kind !== 'idle_close';

for (const kind of FAULT_TABLE.map((row) => row.kind).filter(isAnswered)) {
  test(`answers ${kind} on every endpoint in its own words [W03 W09 W10 W20 W32 W33]`, async ({
    platform,
  }) => {
    test.setTimeout(180_000);
    const answers = faultAnswers[kind].filter(({ slow }) => !slow);
    expect(answers, 'it is written what the site answers').not.toEqual([]);
    // One after the other: all at once would be too much for the deadlines of a busy machine.
    for (const answer of answers) await meet(platform, [answer]);
  });
}

test('responds with 504 when the platform is too slow [W09 W32 W33]', async ({ platform }) => {
  // For a picture's bytes the site waits half a minute.
  test.setTimeout(180_000);
  const answers = Object.values(faultAnswers).flat();
  await meet(
    platform,
    answers.filter(({ slow }) => slow),
  );
});

test('asks once more where an idle connection closes, and sends no form again [W03 W09 W13]', async ({
  platform,
}) => {
  platform.state.generations.setDuration(0);
  const ada = httpVisitor(platform, 'ada', agent);
  const picture = (await makePicture(ada)).id;
  let pictures = 1;
  for (const { operation, status, ask } of doors) {
    const endpoint = operation ?? 'user';
    // Opens as many connections as the site needs for it.
    expect((await ask(ada, picture)).status).toBe(status);
    if (operation === 'submit') pictures += 1;
    await platform.faults.set(endpoint, { kind: 'idle_close', idleMs: 0 }, { times: 1 });
    platform.ledger.clear();
    const answer = await ask(ada, picture);
    const cut = platform.ledger.calls().filter(({ outcome }) => outcome === 'cut');
    expect(cut).toMatchObject([{ endpoint, fault: 'idle_close' }]);
    expect([endpoint, answer.status]).toEqual([endpoint, operation === 'submit' ? 502 : status]);
  }
  expect(await picturesOf(ada)).toBe(pictures);
});

test('answers for a platform whose port is closed, and when it is back [W32 W33]', async ({
  platform,
}) => {
  await platform.faults.set('*', { kind: 'unreachable' });
  const ada = httpVisitor(platform, 'ada');
  for (const door of doors) {
    const answer = await door.ask(ada, 'gen_1');
    const isPage = ['home', 'studio', 'studio data'].includes(door.as);
    expect([door, answer.status, secretsIn(answer)]).toEqual([door, isPage ? 200 : 502, []]);
  }
  expect(platform.ledger.calls()).toEqual([]);
  await platform.faults.clear();
  expect(await picturesOf(ada)).toBe(0);
});

test('would notice a secret, where the contract lets it through [W03 W10]', async ({
  platform,
}) => {
  await platform.faults.set('user', { kind: 'status', status: 500, body: errorBody });
  const ada = httpVisitor(platform, 'ada');
  for (const path of ['/api/user', list]) {
    expect(secretsIn(await ada.get(path))).toEqual([canary, '.internal']);
  }
});

/**
 * Sets each fault on each endpoint and asks at each door that leads there, each time as a person of
 * their own, so that all of it goes on at once.
 */
async function meet(platform: Platform, answers: readonly FaultAnswer[]): Promise<void> {
  platform.state.generations.setDuration(0);
  const attempts = answers.flatMap((answer) =>
    askedEndpoints.flatMap((endpoint) => {
      const leading = doors.filter(
        ({ operation }) => strikesUser(endpoint) || operation === endpoint,
      );
      expect(leading, `a door leads to ${endpoint}`).not.toEqual([]);
      return leading.map((door) => ({ answer, endpoint, door }));
    }),
  );
  const people = platform.addPersonas(attempts.length);
  const told = await Promise.all(
    attempts.map(async ({ answer, endpoint, door }, index) => {
      const persona = people[index]?.id ?? '';
      const where = `${door.as} ${door.operation ?? ''}, ${endpoint} ${JSON.stringify(answer.fault)}`;
      const wanted = outcomeOf(answer, endpoint, door, persona);
      // What the contract relays word for word may hold anything, and nothing beside it may.
      if (typeof wanted.text === 'string') wanted.secrets = secretsIn({ text: wanted.text });
      const got = await attempt(platform, persona, answer, endpoint, door);
      wanted.calls.sort();
      return { got: { where, ...got }, wanted: { where, ...wanted } };
    }),
  );
  expect(told.map(({ got }) => got)).toEqual(told.map(({ wanted }) => wanted));
}

async function attempt(
  platform: Platform,
  persona: string,
  { fault, again }: FaultAnswer,
  endpoint: AskedEndpoint,
  { operation, ask }: AskedDoor,
): Promise<Outcome> {
  const visitor = httpVisitor(platform, persona, agent);
  const isOfPicture = operation === 'status' || operation === 'output';
  const picture = isOfPicture ? (await makePicture(visitor)).id : '';
  const earlier = platform.ledger.calls({ persona }).length;
  await platform.faults.set(endpoint, fault, { persona, times: again ? 2 : 1 });
  const answer = await ask(visitor, picture).catch(() => broken);

  const calls = () => platform.ledger.calls({ persona }).slice(earlier);
  await expect.poll(() => calls().map(({ outcome }) => outcome)).not.toContain('pending');
  const made = calls();
  return {
    status: answer.status,
    location: answer.headers.location,
    contentType: answer.headers['content-type'],
    text: answer.text,
    isCacheable: !/\bno-store\b/.test(answer.headers['cache-control'] ?? ''),
    secrets: secretsIn(answer),
    calls: made.map((call) => call.endpoint).sort(),
    struck: made.flatMap((call) => (call.fault ? `${call.endpoint} ${call.fault}` : [])),
    pictures: operation === 'submit' ? await picturesOf(visitor) : undefined,
  };
}

/** An answer that breaks off on the way: a visitor has nothing of it. */
const broken: Pick<Answer, 'headers' | 'status' | 'text'> = {
  status: 0,
  text: '',
  headers: { 'cache-control': 'no-store' },
};

async function picturesOf(visitor: HttpVisitor): Promise<number> {
  return ((await visitor.get(list)).json() as { items: unknown[] }).items.length;
}

/** The platform's words and its inner places, wherever they stand. */
function secretsIn({ text, rawHeaders = [] }: { text: string; rawHeaders?: string[] }): string[] {
  const seen = `${rawHeaders.join('\n')}\n${text}`;
  return [canary, 'trace-canary', '.internal', '127.0.0.1', 'node_modules'].filter((secret) =>
    seen.includes(secret),
  );
}
