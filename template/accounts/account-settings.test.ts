/** The settings of site accounts. */
import { readSettings, serverSettings, SettingError } from '@gatehouse/server/settings';
import { expect, test } from 'vitest';
import accounts from '~/accounts/settings.server';

const required = { AUTH_SECRET: 'k'.repeat(32), SMTP_URL: 'off' };

const parse = (given: Record<string, string | undefined> = {}) =>
  readSettings({ server: serverSettings, accounts }, { ...required, ...given });

test('keys and a mail server are required, and the others have defaults', () => {
  expect(parse()).toMatchObject({
    databaseUrl: 'file:data/site.db',
    authSecrets: ['k'.repeat(32)],
    smtpUrl: null,
    mailFrom: 'no-reply@localhost',
    trustedProxies: 0,
  });
});

test('development needs none of them', () => {
  const env = readSettings({ server: serverSettings, accounts }, { NODE_ENV: 'development' });
  expect(env).toMatchObject({ authSecrets: [], smtpUrl: null });
});

test('reads every setting', () => {
  expect(
    parse({
      SITE_ORIGIN: 'https://site.example/',
      DATABASE_URL: 'postgres://site:secret@database.example/site',
      AUTH_SECRET: `${'n'.repeat(44)}, ${'o'.repeat(44)}`,
      SMTP_URL: 'smtps://user:secret@mail.example',
      MAIL_FROM: 'hello@site.example',
      TRUSTED_PROXIES: '2',
    }),
  ).toMatchObject({
    databaseUrl: 'postgres://site:secret@database.example/site',
    authSecrets: ['n'.repeat(44), 'o'.repeat(44)],
    smtpUrl: 'smtps://user:secret@mail.example',
    mailFrom: 'hello@site.example',
    trustedProxies: 2,
  });
});

test.each<[string, Record<string, string | undefined>]>([
  ['DATABASE_URL', { DATABASE_URL: 'canary.db' }],
  ['DATABASE_URL', { DATABASE_URL: 'file:' }],
  ['DATABASE_URL', { DATABASE_URL: 'file:data/' }],
  ['DATABASE_URL', { DATABASE_URL: 'file::memory:' }],
  ['DATABASE_URL', { DATABASE_URL: 'file://canary/site.db' }],
  ['DATABASE_URL', { DATABASE_URL: 'file:site.db?mode=canary' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://canary/site' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://user:canary@[/site' }],
  ['AUTH_SECRET', { AUTH_SECRET: undefined }],
  ['AUTH_SECRET', { AUTH_SECRET: 'canary' }],
  ['AUTH_SECRET', { AUTH_SECRET: `${'k'.repeat(32)},canary` }],
  ['AUTH_SECRET', { AUTH_SECRET: Array<string>(3).fill('canary'.repeat(6)).join() }],
  ['SMTP_URL', { SMTP_URL: undefined }],
  ['SMTP_URL', { SMTP_URL: 'canary' }],
  ['SMTP_URL', { SMTP_URL: 'https://canary.example' }],
  ['MAIL_FROM', { MAIL_FROM: 'canary' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'canary' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '-1' }],
])('a malformed or missing %s fails with one sentence that names it: %j [W02]', (name, given) => {
  let message = '';
  try {
    parse(given);
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    ({ message } = error);
  }
  expect(message).toMatch(new RegExp(`^${name} [^\\n]+\\.$`));
  // Zod's own messages say what they expected.
  expect(message).not.toMatch(/canary|expected/);
});

test.each([
  'file:data/site.db',
  'file:/var/lib/site.db',
  'file:///var/lib/site.db',
  'file:../site.db',
  'postgres:///site?host=/var/run/postgresql',
  'postgresql://%2Fvar%2Frun%2Fpostgresql/site',
  'postgres://user@%2Fvar%2Frun%2Fpostgresql/site',
  'postgres://user:secret@/site',
  'postgres://user:secret@/site?host=/var/run/postgresql',
  'socket://user:secret@/var/run/postgresql?db=site',
  'postgres://user:p@ss@database.example/site',
  'postgres://user:50%@database.example/site',
  'postgres://us%23er:pa%2Fss%23%3F%40%25@[::1]:5433/site?sslmode=verify-full&application_name=a@b',
])('DATABASE_URL accepts %s', (url) => {
  expect(parse({ DATABASE_URL: url }).databaseUrl).toBe(url);
});

const mustBeEncoded =
  'has a character in its user name or password that must be percent-encoded: write # as %23, / as %2F, ? as %3F, @ as %40 and % as %25.';
const passwords = [
  'pa#canary',
  '12#canary',
  'pa/canary',
  '12/canary',
  'pa?canary',
  '12?canary',
  'a@b/canary',
];

test.each([
  ...passwords.flatMap((password) => [
    ['DATABASE_URL', `postgres://user:${password}@database.example/site`, mustBeEncoded],
    ['DATABASE_URL', `postgresql://user:${password}@/site?host=/var/run`, mustBeEncoded],
    ['SMTP_URL', `smtps://user:${password}@mail.example`, mustBeEncoded],
    ['SMTP_URL', `smtp://user:${password}@mail.example:587`, mustBeEncoded],
  ]),
  ['DATABASE_URL', 'postgres://us#er:canary@database.example/site', mustBeEncoded],
  ['DATABASE_URL', 'postgres://user:canary%E9@database.example/site', mustBeEncoded],
  [
    'DATABASE_URL',
    'postgres://user:canary@a:1,b:2/site',
    'must be a PostgreSQL address with one host',
  ],
  ['DATABASE_URL', 'postgres://h/site?sslrootcert=/canary.pem', 'cannot be read (ENOENT)'],
  ['DATABASE_URL', 'postgres://h/site?uselibpqcompat=true&sslmode=verify-ca', 'sslrootcert'],
  ['DATABASE_URL', '/var/lib/canary.db', 'must be a file, such as file:data/site.db'],
  ['DATABASE_URL', 'file:site.db?mode=canary', 'must have a path without “:”, “?” or “#”'],
  ['DATABASE_URL', 'file::memory:', 'must have a path without “:”, “?” or “#”'],
  ['DATABASE_URL', 'file:canary/', 'must name a file, not a folder'],
  ['DATABASE_URL', 'file://canary/site.db', 'must have one slash or three after file:'],
  ['DATABASE_URL', 'file:///canary/50%.db', 'must be percent-encoded'],
  ['SMTP_URL', 'smtp://', 'must be an smtp or smtps URL with a host'],
  ['SMTP_URL', 'mail.canary:587', 'must be an smtp or smtps URL with a host'],
  ['AUTH_SECRET', 'canary'.repeat(5), 'must have at least 32 characters'],
  [
    'AUTH_SECRET',
    `${'canary'.repeat(4)},${'canary'.repeat(4)}`,
    'in each key that a comma separates',
  ],
  ['MAIL_FROM', 'Site <canary@site.example>', 'must be an e-mail address without a name'],
  ['SMTP_URL', '"smtps://user:canary@mail.example"', 'must not be in quotes.'],
  ...['"', "'"].flatMap((quote) => [
    ['AUTH_SECRET', quote + 'canary'.repeat(5) + quote, 'must not be in quotes.'],
    ['AUTH_SECRET', quote + 'canary'.repeat(9) + quote, 'must not be in quotes.'],
    ['AUTH_SECRET', `${'k'.repeat(32)}, ${quote}${'canary'.repeat(9)}${quote}`, 'in quotes.'],
  ]),
  ...[
    'file:.',
    'file:..',
    'file:/',
    'file:data/.',
    'file:canary/..',
    'file:///',
    'file:///canary/%2e%2e',
  ].map((url) => ['DATABASE_URL', url, 'must name a file, not a folder']),
  ...['postgres:u:canary@h', 'postgresql:/u:canary@h/site'].map((url) => [
    'DATABASE_URL',
    url,
    'must have two slashes after its scheme, such as postgres://',
  ]),
  ...['smtp:u:canary@h', 'smtps:mail.canary', 'SMTPS:/mail.canary'].map((url) => [
    'SMTP_URL',
    url,
    'must have two slashes after its scheme, such as smtps://',
  ]),
  ...['DATABASE_URL postgres://u:canary@', 'SMTP_URL smtp://u:canary@'].flatMap((setting) => {
    const [name = '', start = ''] = setting.split(' ');
    return [
      [name, `${start}h.example:99999`, 'must have a port of at most 65535'],
      [name, `${start}h.example:99999/site`, 'must have a port of at most 65535'],
      [name, `${start}h..example`, 'must have a name before and after each dot of its host'],
    ];
  }),
  ['AUTH_SECRET', '😀'.repeat(20), 'must have at least 32 characters'],
])('%s says why it is refused, and what to do, without its value: %s', (name, value, reason) => {
  const refusal = () => parse({ [name]: value });
  expect(refusal).toThrow(SettingError);
  expect(refusal).toThrow(`${name} `);
  expect(refusal).toThrow(reason);
  expect(refusal).not.toThrow(/canary/);
});

test('a comma at the end of AUTH_SECRET, as of a list without a previous key, is no key', () => {
  const key = 'k'.repeat(32);
  expect(parse({ AUTH_SECRET: `${key},` }).authSecrets).toEqual([key]);
});
