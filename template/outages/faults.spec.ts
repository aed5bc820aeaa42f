/**
 * Every fault of the simulator on every endpoint, through every route of the site that calls it: a clear and sanitised
 * response, no unexpected calls, no partial effects. The faults come from the simulator's own table, the expected
 * responses from `fault-responses.ts`.
 */
import { Agent } from 'node:http';
import {
  calledEndpoints,
  canary,
  errorBody,
  faultResponses,
  outcomeOf,
  strikesUser,
  type RespondingKind,
  type CalledEndpoint,
  type Door,
  type FaultResponse,
  type Outcome,
} from './fault-responses';
import { expect, test } from '../../e2e/fixtures';
import { toSafeProfile } from '@gatehouse/platform';
import { FAULT_TABLE, type FaultKind } from '@gatehouse/simulator/platform';
import { makePicture } from '../../e2e/flows/studio/saved-picture';
import { list, orderRequest, orderForm, submit } from '../boundary/order';
import type { Platform } from '../../e2e/platform';
import { httpVisitor, type ReceivedResponse, type HttpVisitor } from '@gatehouse/simulator/http';

interface RequestedDoor extends Door {
  /** @param account the key of the visitor's account, if they are not Ada. */
  request: (visitor: HttpVisitor, picture: string, account?: string) => Promise<ReceivedResponse>;
}

/** A new connection for each request: none waits for a slower one, or reuses a connection that has gone stale. */
const agent = new Agent({ keepAlive: false });

const order = (account?: string) => orderForm({ prompt: 'A sail', ...(account && { account }) });

const doors: readonly RequestedDoor[] = [
  { as: 'relay', status: 200, request: (visitor) => visitor.get('/api/user') },
  { as: 'home', status: 200, request: (visitor) => visitor.get('/') },
  { as: 'account', status: 200, request: (visitor) => visitor.get('/account') },
  { as: 'studio', operation: 'list', status: 200, request: (visitor) => visitor.get('/studio') },
  {
    as: 'studio data',
    operation: 'list',
    status: 200,
    request: (visitor) => visitor.get('/studio.data'),
  },
  {
    as: 'form',
    operation: 'submit',
    status: 303,
    request: (visitor, _, account) => visitor.post('/studio', order(account)),
  },
  {
    as: 'form data',
    operation: 'submit',
    status: 200,
    request: (visitor, _, account) => visitor.post('/studio.data', order(account)),
  },
  { as: 'resource', operation: 'list', status: 200, request: (visitor) => visitor.get(list) },
  {
    as: 'resource',
    operation: 'submit',
    status: 201,
    request: (visitor, _, account) =>
      visitor.post(submit(account), orderRequest({ prompts: ['A sail'] })),
  },
  {
    as: 'resource',
    operation: 'status',
    status: 200,
    request: (visitor, picture) => visitor.get(`${list}/${picture}`),
  },
  {
    as: 'resource',
    operation: 'output',
    status: 200,
    request: (visitor, picture) => visitor.get(`${list}/${picture}/output.png`),
  },
];

const hasResponse = (kind: FaultKind): kind is RespondingKind => kind !== 'idle_close';

for (const kind of FAULT_TABLE.map((row) => row.kind).filter(hasResponse)) {
  test(`responds to ${kind} on every endpoint with the site's own errors [W03 W09 W10 W20 W32 W33]`, async ({
    platform,
  }) => {
    test.slow();
    const expected = faultResponses[kind].filter(({ slow }) => !slow);
    expect(expected, 'fault-responses.ts lists this kind').not.toEqual([]);
    // In sequence: all at once could exceed the site's deadlines on a busy machine.
    for (const item of expected) await meet(platform, [item]);
  });
}

test('responds with 504 when the platform is too slow [W09 W32 W33]', async ({ platform }) => {
  // The site waits up to 30 seconds for a picture's bytes.
  test.slow();
  const expected = Object.values(faultResponses).flat();
  await meet(
    platform,
    expected.filter(({ slow }) => slow),
  );
});

test('retries a GET when an idle connection closes, and never a submission [W03 W09 W13]', async ({
  platform,
}) => {
  platform.state.generations.setDuration(0);
  const ada = httpVisitor(platform, 'ada', agent);
  const picture = (await makePicture(ada)).id;
  let pictures = 1;
  for (const { operation, status, request } of doors) {
    const endpoint = operation ?? 'user';
    // Opens the pooled connections that the second request will reuse.
    expect((await request(ada, picture)).status).toBe(status);
    if (operation === 'submit') pictures += 1;
    await platform.faults.set(endpoint, { kind: 'idle_close', idleMs: 0 }, { times: 1 });
    platform.ledger.clear();
    const response = await request(ada, picture);
    const cut = platform.ledger.calls().filter(({ outcome }) => outcome === 'cut');
    expect(cut).toMatchObject([{ endpoint, fault: 'idle_close' }]);
    expect([endpoint, response.status]).toEqual([endpoint, operation === 'submit' ? 502 : status]);
  }
  expect(await picturesOf(ada)).toBe(pictures);
});

test('responds while the platform refuses connections, and works again afterwards [W32 W33]', async ({
  platform,
}) => {
  await platform.faults.set('*', { kind: 'unreachable' });
  const ada = httpVisitor(platform, 'ada');
  for (const door of doors) {
    const response = await door.request(ada, 'gen_1');
    const isPage = ['home', 'studio', 'studio data'].includes(door.as);
    expect([door, response.status, secretsIn(response)]).toEqual([door, isPage ? 200 : 502, []]);
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
async function meet(platform: Platform, expected: readonly FaultResponse[]): Promise<void> {
  platform.state.generations.setDuration(0);
  const attempts = expected.flatMap((item) =>
    calledEndpoints.flatMap((endpoint) => {
      const leading = doors.filter(
        ({ operation }) => strikesUser(endpoint) || operation === endpoint,
      );
      expect(leading, `a door leads to ${endpoint}`).not.toEqual([]);
      return leading.map((door) => ({ item, endpoint, door }));
    }),
  );
  const people = platform.addPersonas(attempts.length);
  const outcomes = await Promise.all(
    attempts.map(async ({ item, endpoint, door }, index) => {
      const { id: persona = '', profile } = people[index] ?? {};
      const where = `${door.as} ${door.operation ?? ''}, ${endpoint} ${JSON.stringify(item.fault)}`;
      const wanted = outcomeOf(item, endpoint, door, persona);
      // A body that the contract has relayed unchanged may contain secrets; the rest of the response may not.
      if (typeof wanted.text === 'string') wanted.secrets = secretsIn({ text: wanted.text });
      const got = await attempt(platform, { persona, profile }, item, endpoint, door);
      wanted.calls.sort();
      return { got: { where, ...got }, wanted: { where, ...wanted } };
    }),
  );
  expect(outcomes.map(({ got }) => got)).toEqual(outcomes.map(({ wanted }) => wanted));
}

async function attempt(
  platform: Platform,
  { persona, profile }: { persona: string; profile: unknown },
  { fault, again }: FaultResponse,
  endpoint: CalledEndpoint,
  { operation, request }: RequestedDoor,
): Promise<Outcome> {
  const visitor = httpVisitor(platform, persona, agent);
  const isOfPicture = operation === 'status' || operation === 'output';
  const picture = isOfPicture ? (await makePicture(visitor)).id : '';
  const earlier = platform.ledger.calls({ persona }).length;
  await platform.faults.set(endpoint, fault, { persona, times: again ? 2 : 1 });
  const response = await request(visitor, picture, toSafeProfile(profile).key).catch(() => broken);

  const calls = () => platform.ledger.calls({ persona }).slice(earlier);
  await expect.poll(() => calls().map(({ outcome }) => outcome)).not.toContain('pending');
  const made = calls();
  return {
    status: response.status,
    location: response.headers.location,
    contentType: response.headers['content-type'],
    text: response.text,
    isCacheable: !/\bno-store\b/.test(response.headers['cache-control'] ?? ''),
    secrets: secretsIn(response),
    calls: made.map((call) => call.endpoint).sort(),
    struck: made.flatMap((call) => (call.fault ? `${call.endpoint} ${call.fault}` : [])),
    pictures: operation === 'submit' ? await picturesOf(visitor) : undefined,
  };
}

/** Stands for a response that was cut off, of which the visitor receives nothing. */
const broken: Pick<ReceivedResponse, 'headers' | 'status' | 'text'> = {
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
