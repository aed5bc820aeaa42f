/**
 * Response times do not reveal whether an address has an account. A permutation test: for each form, known and unknown
 * addresses are submitted alternately, and the difference of the medians is compared with that of random regroupings
 * of the same times. The last test is the negative control: it must detect a form that skips the hash.
 */
import { expect, test, vi } from 'vitest';
import { finishBackgroundWork } from '~/accounts.server';
import { startSiteWithAccounts, type Browser } from '../../app/testing/site-with-accounts';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));
vi.mock('@gatehouse/accounts/mailer', () => import('@gatehouse/accounts/testing/mail-double'));
// A quarter of the production cost: it still dominates the response time, and a busy machine can keep up.
vi.mock('@gatehouse/accounts/costs', () => ({
  scryptCost: { N: 2 ** 13, r: 8, p: 3 },
  backgroundDelay: 100,
}));
vi.mock('../../packages/accounts/src/limits.ts', async (original) => ({
  ...(await original<object>()),
  countAttempt: () => Promise.resolve(null),
  forgiveAttempts: () => Promise.resolve(),
}));

const { browser, member, person } = await startSiteWithAccounts();

const rounds = 24;

interface Times {
  known: number[];
  unknown: number[];
}

/** @param settle runs after each request, and is not measured. */
async function measured(
  known: () => Promise<unknown>,
  unknown: () => Promise<unknown>,
  settle: () => Promise<unknown> = () => Promise.resolve(),
) {
  const times: Times = { known: [], unknown: [] };
  for (let round = 0; round < rounds; round++) {
    // A request can affect the time of the next one, so each kind comes first equally often.
    const order =
      round % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
    for (const which of order) {
      const began = performance.now();
      await (which === 'known' ? known() : unknown());
      times[which].push(performance.now() - began);
      await settle();
    }
  }
  return times;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function difference({ known, unknown }: Times): number {
  return Math.abs(median(known) - median(unknown));
}

/** A permutation test: the share of random regroupings of the same times whose difference is at least as large. */
function likelihood(times: Times): number {
  const all = [...times.known, ...times.unknown];
  const seen = difference(times);
  const deals = 2_000;
  let asLarge = 0;
  for (let deal = 0; deal < deals; deal++) {
    for (let last = all.length - 1; last > 0; last--) {
      const other = Math.floor(Math.random() * (last + 1));
      [all[last], all[other]] = [all[other] ?? 0, all[last] ?? 0];
    }
    const dealt = { known: all.slice(0, rounds), unknown: all.slice(rounds) };
    if (difference(dealt) >= seen) asLarge++;
  }
  return asLarge / deals;
}

const password = 'a wrong pass phrase';
const forms: [
  path: string,
  sendFor: (visitor: Browser, email: string) => Promise<unknown>,
  settle?: () => Promise<unknown>,
][] = [
  ['/sign-in', (visitor, email) => visitor.post('/sign-in', { email, password })],
  [
    '/sign-in, with a password that an earlier version prepared otherwise,',
    (visitor, email) => visitor.post('/sign-in', { email, password: 'a wrong pass phrase ①' }),
  ],
  [
    '/sign-up',
    (visitor, email) => visitor.post('/sign-up', { name: 'Ada', email, password }),
    // It continues after its response, and would delay the next request.
    finishBackgroundWork,
  ],
  [
    '/reset-password',
    (visitor, email) => visitor.post('/reset-password', { intent: 'send', email }),
    finishBackgroundWork,
  ],
  ['/verify-email', (visitor, email) => visitor.post('/verify-email', { intent: 'send', email })],
];

test.each(forms)(
  'the response time of %s does not reveal whether an account exists',
  async (_, sendFor, settle) => {
    const { email } = await member();
    const visitor = browser();
    await sendFor(visitor, email);
    const times = await measured(
      () => sendFor(visitor, email),
      () => sendFor(visitor, person().email),
      settle,
    );
    // Significant at one in a thousand, and large enough to be measurable over a network.
    const reveals = likelihood(times) < 0.001 && difference(times) > 0.05 * median(times.known);
    expect({ reveals, known: median(times.known), unknown: median(times.unknown) }).toMatchObject({
      reveals: false,
    });
  },
);

test('detects a form that hashes nothing for an unknown address', async () => {
  const { email } = await member();
  const visitor = browser();
  const times = await measured(
    () => visitor.post('/sign-in', { email, password }),
    () => visitor.get('/sign-in'),
  );
  expect(likelihood(times)).toBeLessThan(0.001);
  expect(difference(times)).toBeGreaterThan(0.05 * median(times.known));
});
