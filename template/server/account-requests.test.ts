/** What the listener tells accounts of a request: whose address it is from, and which site. */
import type { Socket } from 'node:net';
import { sql } from 'kysely';
import { beforeEach, expect, test, vi } from 'vitest';
import { ours, startListener } from '@gatehouse/server/testing/listening-site';
import { parseSiteEnv } from '~/env.server';
import { store } from '~/store.server';
import { mailedToken, startSiteWithAccounts } from '~/testing/site-with-accounts';
import { siteOrigin } from '@gatehouse/server/remix/testing';
import { site as server } from '~/server/site';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));
vi.mock('@gatehouse/accounts/mailer', () => import('@gatehouse/accounts/testing/mail-double'));
vi.mock('@gatehouse/accounts/costs', () => import('@gatehouse/accounts/testing/low-costs'));
vi.stubEnv('SITE_ORIGIN', siteOrigin);

const { site, browser, person, member, signedIn } = await startSiteWithAccounts();

/** The whole site on a port, and a function that posts a form there. */
async function listen(trustedProxies = '') {
  const env = parseSiteEnv({ ...process.env, TRUSTED_PROXIES: trustedProxies });
  const listener = await startListener(server, { ...server.settings(), ...env });
  beforeEach(() => {
    listener.doubles.match = site.match;
  });
  // A test connects from this machine, whose own address is private and does not count.
  listener.server.prependListener('connection', (socket: Socket) => {
    Object.defineProperty(socket, 'remoteAddress', { value: '192.0.2.50' });
  });
  return async (path: string, fields: object, headers: Record<string, string>) => {
    const { status } = await listener.send(path, {
      method: 'POST',
      headers: {
        host: new URL(siteOrigin).host,
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      body: new URLSearchParams({ ...fields }).toString(),
    });
    return status;
  };
}

const direct = await listen();
const behindOne = await listen('1');

/** Attempts on as many accounts as one address may try, and on one more. */
async function attempts(post: typeof direct, forwardedFor: (attempt: number) => string) {
  const tries = Array.from({ length: 101 }, (_, attempt) =>
    post('/sign-in', person(), { ...ours, 'x-forwarded-for': forwardedFor(attempt) }),
  );
  return (await Promise.all(tries)).filter((status) => status !== 422);
}

test('without TRUSTED_PROXIES the connection’s address is limited, whatever addresses it forges', async () => {
  expect(await attempts(direct, (attempt) => `203.0.113.${attempt}`)).toEqual([429]);
  // Nobody is blocked by having been named.
  const named = { ...ours, 'x-forwarded-for': '203.0.113.1' };
  expect(await behindOne('/sign-in', person(), named)).toBe(422);
});

test('with TRUSTED_PROXIES=1 the address that the proxy saw is limited, not those before it', async () => {
  const limited = '198.51.100.1';
  const refused = await attempts(behindOne, (attempt) => `203.0.113.${attempt}, ${limited}`);
  expect(refused).toEqual([429]);
  const from = (forwarded: string) =>
    behindOne('/sign-in', person(), { ...ours, 'x-forwarded-for': forwarded });
  expect(await from(`${limited}, 198.51.100.2`)).toBe(422);
  expect(await from(limited)).toBe(429);
});

test('IPv4 clients that IPv6 writes differently are limited one by one, and each only once', async () => {
  const hex = (last: number) => `c633:64${last.toString(16)}`;
  const refused = await attempts(behindOne, (attempt) =>
    attempt % 2 === 0 ? `::ffff:${hex(80)}` : `64:ff9b::${hex(80)}`,
  );
  expect(refused).toEqual([429]);
  const from = (forwarded: string) =>
    behindOne('/sign-in', person(), { ...ours, 'x-forwarded-for': forwarded });
  expect(await from('198.51.100.80')).toBe(429);
  for (const other of [`::ffff:${hex(81)}`, `64:ff9b::${hex(81)}`, '198.51.100.82']) {
    expect([other, await from(other)]).toEqual([other, 422]);
  }
});

test('a form posted by another site is refused, and changes nothing', async () => {
  const ada = await member();
  const visitor = await signedIn(ada);
  const other = await signedIn(ada);
  const account = await visitor.accountId();
  const { text } = await visitor.get('/settings');
  const [, session = ''] = /name="session" value="([^"]+)"/.exec(text) ?? [];
  await visitor.post('/reset-password', { intent: 'send', email: ada.email });
  const reset = await mailedToken(ada.email);
  const bob = person();
  await browser().post('/sign-up', { ...bob });
  const confirmation = await mailedToken(bob.email);

  const { email, password } = ada;
  const changed = 'another long pass phrase';
  const forms: [string, object][] = [
    ['/sign-up', { ...person() }],
    ['/sign-in', { email, password }],
    ['/reset-password', { intent: 'send', email }],
    ['/reset-password', { intent: 'reset', token: reset, password: changed }],
    ['/verify-email', { intent: 'send', email: bob.email }],
    ['/verify-email', { intent: 'confirm', token: confirmation }],
    ['/settings', { intent: 'name', account, name: 'Mallory' }],
    ['/settings', { intent: 'email', account, email: 'mallory@example.org', password }],
    ['/settings', { intent: 'password', account, current: password, password: changed }],
    ['/settings', { intent: 'end-session', account, session }],
    ['/settings', { intent: 'end-others', account }],
    ['/settings', { intent: 'delete', account, password }],
    ['/sign-out', {}],
  ];
  const origins = [
    { 'sec-fetch-site': 'cross-site', origin: 'https://other.example' },
    // A sandboxed frame, and one in a browser that sends no fetch metadata.
    { 'sec-fetch-site': 'cross-site', origin: 'null' },
    { origin: 'null' },
    // A frame beside the site’s own.
    { 'sec-fetch-site': 'same-site', origin: 'https://beside.site.example' },
  ];
  const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ');
  const before = await accountRows();
  for (const headers of origins) {
    for (const [path, fields] of forms) {
      for (const address of [path, `${path}.data`]) {
        const status = await direct(address, fields, { ...headers, cookie });
        expect([address, fields, headers, status]).toEqual([address, fields, headers, 403]);
      }
    }
  }
  expect(await accountRows()).toBe(before);
  expect((await other.get('/settings')).status).toBe(200);

  // The same form, from a page of the site.
  expect(await direct('/sign-out', {}, { ...ours, cookie })).toBe(303);
  expect(await accountRows()).not.toBe(before);
});

async function accountRows(): Promise<string> {
  const tables = (await store().introspection.getTables()).map(({ name }) => name);
  const accounts = tables.filter((name) => name.startsWith('account')).sort();
  expect(accounts.length).toBeGreaterThan(3);
  const rows = accounts.map((name) => sql`select * from ${sql.table(name)}`.execute(store()));
  return JSON.stringify(await Promise.all(rows));
}
