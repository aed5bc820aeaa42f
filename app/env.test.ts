import { expect, test } from 'vitest';
import { SettingError } from '@gatehouse/server/settings';
import { parseSiteEnv } from './env.server';

const platform = { PLATFORM_INTERNAL_URL: 'http://127.0.0.1:4001' }; // auth: platform
const accounts = { AUTH_SECRET: 'k'.repeat(32), SMTP_URL: 'off' }; // auth: accounts
const required = {
  ...platform, // auth: platform
  ...accounts, // auth: accounts
};

test('only a few settings are required, and the others have defaults', () => {
  expect(parseSiteEnv(required)).toMatchObject({
    mode: 'production',
    port: 3000,
    host: '0.0.0.0',
    platformInternalUrl: 'http://127.0.0.1:4001', // auth: platform
    siteOrigin: 'http://localhost:3000',
    databaseUrl: 'file:data/site.db', // auth: accounts
    frameAncestors: ["'none'"],
    logLevel: 'info',
    maxConnections: 1_000,
    shutdownDelay: 5,
    offlineDemo: false, // auth: platform
    authSecrets: ['k'.repeat(32)], // auth: accounts
    smtpUrl: null, // auth: accounts
    mailFrom: 'no-reply@localhost', // auth: accounts
    trustedProxies: 0, // auth: accounts
  });
});

test('reads every setting', () => {
  expect(
    parseSiteEnv({
      NODE_ENV: 'development',
      PORT: '8080',
      HOST: '127.0.0.1',
      PLATFORM_INTERNAL_URL: 'https://internal.example/api/', // auth: platform
      SITE_ORIGIN: 'https://site.example/',
      DATABASE_URL: 'postgres://site:secret@database.example/site', // auth: accounts
      PLATFORM_FRAME_ANCESTORS: "'self' https://platform.example, https://*.example:8443",
      LOG_LEVEL: 'debug',
      MAX_CONNECTIONS: '64',
      SHUTDOWN_DELAY_SECONDS: '2.5',
      OFFLINE_DEMO: '0', // auth: platform
      AUTH_SECRET: `${'n'.repeat(44)}, ${'o'.repeat(44)}`, // auth: accounts
      SMTP_URL: 'smtps://user:secret@mail.example', // auth: accounts
      MAIL_FROM: 'hello@site.example', // auth: accounts
      TRUSTED_PROXIES: '2', // auth: accounts
    }),
  ).toMatchObject({
    mode: 'development',
    port: 8080,
    host: '127.0.0.1',
    platformInternalUrl: 'https://internal.example/api', // auth: platform
    siteOrigin: 'https://site.example',
    databaseUrl: 'postgres://site:secret@database.example/site', // auth: accounts
    frameAncestors: ["'self'", 'https://platform.example', 'https://*.example:8443'],
    logLevel: 'debug',
    maxConnections: 64,
    shutdownDelay: 2.5,
    offlineDemo: false, // auth: platform
    authSecrets: ['n'.repeat(44), 'o'.repeat(44)], // auth: accounts
    smtpUrl: 'smtps://user:secret@mail.example', // auth: accounts
    mailFrom: 'hello@site.example', // auth: accounts
    trustedProxies: 2, // auth: accounts
  });
});

test('the settings are frozen', () => {
  expect(Object.isFrozen(parseSiteEnv(required))).toBe(true);
});

test('an empty setting counts as unset', () => {
  expect(parseSiteEnv({ ...required, PORT: '', SITE_ORIGIN: '' })).toEqual(parseSiteEnv(required));
});

test.each<[string, Record<string, string | undefined>]>([
  ['PORT', { PORT: 'canary' }],
  ['PLATFORM_INTERNAL_URL', { PLATFORM_INTERNAL_URL: undefined }], // auth: platform
  ['PLATFORM_INTERNAL_URL', { PLATFORM_INTERNAL_URL: '' }], // auth: platform
  ['PLATFORM_INTERNAL_URL', { OFFLINE_DEMO: '1' }], // auth: platform
  ['OFFLINE_DEMO', { OFFLINE_DEMO: 'true' }], // auth: platform
  ['OFFLINE_DEMO', { OFFLINE_DEMO: 'yes', PLATFORM_INTERNAL_URL: undefined }], // auth: platform
  ['DATABASE_URL', { DATABASE_URL: 'canary.db' }], // auth: accounts
  ['DATABASE_URL', { DATABASE_URL: 'file:' }], // auth: accounts
  ['DATABASE_URL', { DATABASE_URL: 'file:data/' }], // auth: accounts
  ['DATABASE_URL', { DATABASE_URL: 'file::memory:' }], // auth: accounts
  ['DATABASE_URL', { DATABASE_URL: 'file://canary/site.db' }], // auth: accounts
  ['DATABASE_URL', { DATABASE_URL: 'file:site.db?mode=canary' }], // auth: accounts
  ['DATABASE_URL', { DATABASE_URL: 'mysql://canary/site' }], // auth: accounts
  ['DATABASE_URL', { DATABASE_URL: 'postgres://user:canary@[/site' }], // auth: accounts
  ['AUTH_SECRET', { AUTH_SECRET: undefined }], // auth: accounts
  ['AUTH_SECRET', { AUTH_SECRET: 'canary' }], // auth: accounts
  ['AUTH_SECRET', { AUTH_SECRET: `${'k'.repeat(32)},canary` }], // auth: accounts
  ['AUTH_SECRET', { AUTH_SECRET: Array<string>(3).fill('canary'.repeat(6)).join() }], // auth: accounts
  ['SMTP_URL', { SMTP_URL: undefined }], // auth: accounts
  ['SMTP_URL', { SMTP_URL: 'canary' }], // auth: accounts
  ['SMTP_URL', { SMTP_URL: 'https://canary.example' }], // auth: accounts
  ['MAIL_FROM', { MAIL_FROM: 'canary' }], // auth: accounts
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'canary' }], // auth: accounts
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '-1' }], // auth: accounts
])('a malformed or missing %s fails with one sentence that names it: %j [W02]', (name, given) => {
  let message = '';
  try {
    parseSiteEnv({ ...required, ...given });
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    ({ message } = error);
  }
  expect(message).toMatch(new RegExp(`^${name} [^\\n]+\\.$`));
  // Zod's own messages say what they expected.
  expect(message).not.toMatch(/canary|expected/);
});

// auth: accounts
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
  expect(parseSiteEnv({ ...required, DATABASE_URL: url }).databaseUrl).toBe(url);
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
  const refusal = () => parseSiteEnv({ ...required, [name]: value });
  expect(refusal).toThrow(SettingError);
  expect(refusal).toThrow(`${name} `);
  expect(refusal).toThrow(reason);
  expect(refusal).not.toThrow(/canary/);
});

test('a comma at the end of AUTH_SECRET, as of a list without a previous key, is no key', () => {
  const key = 'k'.repeat(32);
  expect(parseSiteEnv({ ...required, AUTH_SECRET: `${key},` }).authSecrets).toEqual([key]);
});
// /auth

test('a refused value in quotes, which Docker keeps, is refused for its quotes', () => {
  expect(() => parseSiteEnv({ ...required, PORT: '"80"' })).toThrow('PORT must not be in quotes.');
  expect(() => parseSiteEnv({ ...required, PORT: '"x"' })).toThrow('PORT must be a port number.');
});

// auth: platform
test('only the offline demo runs without PLATFORM_INTERNAL_URL, and it must not have one [W31]', () => {
  const alone = {
    OFFLINE_DEMO: '1',
    ...accounts, // auth: accounts
  };
  expect(parseSiteEnv(alone)).toMatchObject({ offlineDemo: true, platformInternalUrl: '' });
  expect(() => parseSiteEnv({ OFFLINE_DEMO: '1', ...required })).toThrow(
    'PLATFORM_INTERNAL_URL must not be set together with OFFLINE_DEMO=1.',
  );
  expect(() => parseSiteEnv({})).toThrow(
    'PLATFORM_INTERNAL_URL is required: the address the platform gives this site for GET /user.',
  );
});
// /auth
