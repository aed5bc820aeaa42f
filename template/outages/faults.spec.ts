/**
 * Every fault of the simulator on every endpoint, through every route of the site that calls it: a clear and sanitised
 * response, no unexpected calls, no partial effects. The faults come from the simulator's own table, the expected
 * responses from `fault-answers.ts`.
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
import { toSafeProfile } from '@gatehouse/platform';
import { FAULT_TABLE, type FaultKind } from '@gatehouse/simulator/platform';
import { makePicture } from '../../e2e/flows/studio/saved-picture';
import { orderAsk, orderForm } from '../boundary/order';
import type { Platform } from '../../e2e/platform';
import { httpVisitor, type Answer, type HttpVisitor } from '@gatehouse/simulator/http';

interface AskedDoor extends Door {
  /** @param account the key of the visitor's account, if they are not Ada. */
  ask: (visitor: HttpVisitor, picture: string, account?: string) => Promise<Answer>;
}

/** A new connection for each request: none waits for a slower one, or reuses a connection that has gone stale. */
const agent = new Agent({ keepAlive: false });

const list = '/api/generations';
const order = (account?: string) => orderForm({ prompt: 'A sail', ...(account && { account }) });

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
    ask: (visitor, _, account) => visitor.post('/studio', order(account)),
  },
  {
    as: 'form data',
    operation: 'submit',
    status: 200,
    ask: (visitor, _, account) => visitor.post('/studio.data', order(account)),
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
  test(`responds to ${kind} on every endpoint with the site's own errors [W03 W09 W10 W20 W32 W33]`, async ({
    platform,
  }) => {
    test.slow();
    const answers = faultAnswers[kind].filter(({ slow }) => !slow);
    expect(answers, 'fault-answers.ts lists this kind').not.toEqual([]);
    // In sequence: all at once could exceed the site's deadlines on a busy machine.
    for (const answer of answers) await meet(platform, [answer]);
  });
}

test('responds with 504 when the platform is too slow [W09 W32 W33]', async ({ platform }) => {
  // The site waits up to 30 seconds for a picture's bytes.
  test.slow();
  const answers = Object.values(faultAnswers).flat();
  await meet(
    platform,
    answers.filter(({ slow }) => slow),
  );
});

test('retries a GET when an idle connection closes, and never a submission [W03 W09 W13]', async ({
  platform,
}) => {
  platform.state.generations.setDuration(0);
  const ada = httpVisitor(platform, 'ada', agent);
  const picture = (await makePicture(ada)).id;
  let pictures = 1;
  for (const { operation, status, ask } of doors) {
    const endpoint = operation ?? 'user';
    // Opens the pooled connections that the second request will reuse.
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

test('responds while the platform refuses connections, and works again afterwards [W32 W33]', async ({
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

test('detects a secret in the responses that the contract has relayed [W03 W10]', async ({
  platform,
}) => {
  await platform.faults.set('user', { kind: 'status', status: 500, body: errorBody });
  const ada = httpVisitor(platform, 'ada');
  for (const path of ['/api/user', list]) {
    expect(secretsIn(await ada.get(path))).toEqual([canary, '.internal']);
  }
});

/**
 * Sets each fault on each endpoint and requests each door that leads there. Each attempt has its own persona, so that
 * all of them can run concurrently.
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
      const { id: persona = '', profile } = people[index] ?? {};
      const where = `${door.as} ${door.operation ?? ''}, ${endpoint} ${JSON.stringify(answer.fault)}`;
      const wanted = outcomeOf(answer, endpoint, door, persona);
      // A body that the contract has relayed unchanged may contain secrets; the rest of the response may not.
      if (typeof wanted.text === 'string') wanted.secrets = secretsIn({ text: wanted.text });
      const got = await attempt(platform, { persona, profile }, answer, endpoint, door);
      wanted.calls.sort();
      return { got: { where, ...got }, wanted: { where, ...wanted } };
    }),
  );
  expect(told.map(({ got }) => got)).toEqual(told.map(({ wanted }) => wanted));
}

async function attempt(
  platform: Platform,
  { persona, profile }: { persona: string; profile: unknown },
  { fault, again }: FaultAnswer,
  endpoint: AskedEndpoint,
  { operation, ask }: AskedDoor,
): Promise<Outcome> {
  const visitor = httpVisitor(platform, persona, agent);
  const isOfPicture = operation === 'status' || operation === 'output';
  const picture = isOfPicture ? (await makePicture(visitor)).id : '';
  const earlier = platform.ledger.calls({ persona }).length;
  await platform.faults.set(endpoint, fault, { persona, times: again ? 2 : 1 });
  const answer = await ask(visitor, picture, toSafeProfile(profile).key).catch(() => broken);

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

/** Stands for a response that was cut off, of which the visitor receives nothing. */
const broken: Pick<Answer, 'headers' | 'status' | 'text'> = {
  status: 0,
  text: '',
  headers: { 'cache-control': 'no-store' },
};

async function picturesOf(visitor: HttpVisitor): Promise<number> {
  return ((await visitor.get(list)).json() as { items: unknown[] }).items.length;
}

/** Platform error texts and internal addresses found in the headers or the body. */
function secretsIn({ text, rawHeaders = [] }: { text: string; rawHeaders?: string[] }): string[] {
  const seen = `${rawHeaders.join('\n')}\n${text}`;
  return [canary, 'trace-canary', '.internal', '127.0.0.1', 'node_modules'].filter((secret) =>
    seen.includes(secret),
  );
}
