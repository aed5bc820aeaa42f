import { expect, test } from 'vitest';
import { parseSiteEnv, SettingError } from './env.server';

const accounts = { AUTH_SECRET: 'k'.repeat(32), SMTP_URL: 'off' };
const required = { PLATFORM_INTERNAL_URL: 'http://127.0.0.1:4001', ...accounts };

test('needs three settings, and has a default for each other', () => {
  expect(parseSiteEnv(required)).toEqual({
    mode: 'production',
    port: 3000,
    host: '0.0.0.0',
    platformInternalUrl: 'http://127.0.0.1:4001',
    siteOrigin: 'http://localhost:3000',
    databaseUrl: 'file:data/site.db',
    frameAncestors: ["'none'"],
    logLevel: 'info',
    maxConnections: 1_000,
    shutdownDelay: 5,
    offlineDemo: false,
    authSecrets: ['k'.repeat(32)],
    smtpUrl: null,
    mailFrom: 'no-reply@localhost',
    trustedProxies: 0,
  });
});

test('takes every setting', () => {
  expect(
    parseSiteEnv({
      NODE_ENV: 'development',
      PORT: '8080',
      HOST: '127.0.0.1',
      PLATFORM_INTERNAL_URL: 'https://internal.example/api/',
      SITE_ORIGIN: 'https://site.example/',
      DATABASE_URL: 'postgres://site:secret@database.example/site',
      PLATFORM_FRAME_ANCESTORS: "'self' https://platform.example, https://*.example:8443",
      LOG_LEVEL: 'debug',
      MAX_CONNECTIONS: '64',
      SHUTDOWN_DELAY_SECONDS: '2.5',
      OFFLINE_DEMO: '0',
      AUTH_SECRET: `${'n'.repeat(44)}, ${'o'.repeat(44)}`,
      SMTP_URL: 'smtps://user:secret@mail.example',
      MAIL_FROM: 'hello@site.example',
      TRUSTED_PROXIES: '2',
    }),
  ).toEqual({
    mode: 'development',
    port: 8080,
    host: '127.0.0.1',
    platformInternalUrl: 'https://internal.example/api',
    siteOrigin: 'https://site.example',
    databaseUrl: 'postgres://site:secret@database.example/site',
    frameAncestors: ["'self'", 'https://platform.example', 'https://*.example:8443'],
    logLevel: 'debug',
    maxConnections: 64,
    shutdownDelay: 2.5,
    offlineDemo: false,
    authSecrets: ['n'.repeat(44), 'o'.repeat(44)],
    smtpUrl: 'smtps://user:secret@mail.example',
    mailFrom: 'hello@site.example',
    trustedProxies: 2,
  });
});

test('the settings cannot be changed', () => {
  expect(Object.isFrozen(parseSiteEnv(required))).toBe(true);
});

test('an empty setting is an unset one', () => {
  expect(parseSiteEnv({ ...required, PORT: '', SITE_ORIGIN: '', OFFLINE_DEMO: '' })).toEqual(
    parseSiteEnv(required),
  );
});

test.each([
  ['http://127.0.0.1:4001', 'http://127.0.0.1:4001'],
  ['http://127.0.0.1:4001/', 'http://127.0.0.1:4001'],
  ['http://127.0.0.1:4001/base//', 'http://127.0.0.1:4001/base'],
  ['http://127.0.0.1:4001?', 'http://127.0.0.1:4001'],
  ['http://127.0.0.1:4001#', 'http://127.0.0.1:4001'],
  [' http://127.0.0.1:4001 ', 'http://127.0.0.1:4001'],
])('the internal address %j is a base for paths [W12]', (given, base) => {
  expect(parseSiteEnv({ ...required, PLATFORM_INTERNAL_URL: given }).platformInternalUrl).toBe(
    base,
  );
});

test.each<[string, Record<string, string | undefined>]>([
  ['PLATFORM_INTERNAL_URL', { PLATFORM_INTERNAL_URL: undefined }],
  ['PLATFORM_INTERNAL_URL', { PLATFORM_INTERNAL_URL: '' }],
  ['PLATFORM_INTERNAL_URL', { PLATFORM_INTERNAL_URL: 'canary' }],
  ['PLATFORM_INTERNAL_URL', { PLATFORM_INTERNAL_URL: '127.0.0.1:4001' }],
  ['PLATFORM_INTERNAL_URL', { PLATFORM_INTERNAL_URL: 'ftp://canary' }],
  ['PLATFORM_INTERNAL_URL', { PLATFORM_INTERNAL_URL: 'file:///canary' }],
  ['PLATFORM_INTERNAL_URL', { PLATFORM_INTERNAL_URL: 'http://user:canary@internal.example' }],
  ['PLATFORM_INTERNAL_URL', { PLATFORM_INTERNAL_URL: 'http://internal.example/?token=canary' }],
  ['PLATFORM_INTERNAL_URL', { PLATFORM_INTERNAL_URL: 'http://internal.example/#canary' }],
  ['PLATFORM_INTERNAL_URL', { OFFLINE_DEMO: '1' }],
  ['OFFLINE_DEMO', { OFFLINE_DEMO: 'true' }],
  ['OFFLINE_DEMO', { OFFLINE_DEMO: 'yes', PLATFORM_INTERNAL_URL: undefined }],
  ['SITE_ORIGIN', { SITE_ORIGIN: 'site.example' }],
  ['SITE_ORIGIN', { SITE_ORIGIN: 'https://site.example/path' }],
  ['SITE_ORIGIN', { SITE_ORIGIN: 'https://site.example?canary' }],
  ['SITE_ORIGIN', { SITE_ORIGIN: 'https://user:canary@site.example' }],
  ['SITE_ORIGIN', { SITE_ORIGIN: 'javascript:alert(1)' }],
  ['SITE_ORIGIN', { SITE_ORIGIN: 'null' }],
  ['DATABASE_URL', { DATABASE_URL: 'canary.db' }],
  ['DATABASE_URL', { DATABASE_URL: 'file:' }],
  ['DATABASE_URL', { DATABASE_URL: 'file:data/' }],
  ['DATABASE_URL', { DATABASE_URL: 'file::memory:' }],
  ['DATABASE_URL', { DATABASE_URL: 'file://canary/site.db' }],
  ['DATABASE_URL', { DATABASE_URL: 'file:site.db?mode=canary' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://canary/site' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://user:canary@[/site' }],
  ['PORT', { PORT: 'canary' }],
  ['PORT', { PORT: '-1' }],
  ['PORT', { PORT: '65536' }],
  ['PORT', { PORT: '80.5' }],
  ['PLATFORM_FRAME_ANCESTORS', { PLATFORM_FRAME_ANCESTORS: '*' }],
  ['PLATFORM_FRAME_ANCESTORS', { PLATFORM_FRAME_ANCESTORS: ' ' }],
  [
    'PLATFORM_FRAME_ANCESTORS',
    { PLATFORM_FRAME_ANCESTORS: "https://a.example; script-src 'self'" },
  ],
  ['PLATFORM_FRAME_ANCESTORS', { PLATFORM_FRAME_ANCESTORS: 'https://a.example/path' }],
  ['PLATFORM_FRAME_ANCESTORS', { PLATFORM_FRAME_ANCESTORS: 'https:' }],
  ['PLATFORM_FRAME_ANCESTORS', { PLATFORM_FRAME_ANCESTORS: 'self' }],
  ['NODE_ENV', { NODE_ENV: 'staging' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
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
])('a malformed or missing %s is one sentence that names it: %j [W02]', (name, given) => {
  let message = '';
  try {
    parseSiteEnv({ ...required, ...given });
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    ({ message } = error);
  }
  expect(message).toMatch(new RegExp(`^${name} [^\\n]+\\.$`));
  expect(message).not.toContain('canary');
});

test.each([
  'file:data/site.db',
  'file:/var/lib/site.db',
  'file:///var/lib/site.db',
  'file:../site.db',
])('the store may be %s', (url) => {
  expect(parseSiteEnv({ ...required, DATABASE_URL: url }).databaseUrl).toBe(url);
});

test('the offline demo knows no platform, and nothing else may be without one [W31]', () => {
  expect(parseSiteEnv({ ...accounts, OFFLINE_DEMO: '1' })).toMatchObject({
    offlineDemo: true,
    platformInternalUrl: '',
  });
  expect(() => parseSiteEnv({ OFFLINE_DEMO: '1', ...required })).toThrow(
    'PLATFORM_INTERNAL_URL must not be set together with OFFLINE_DEMO=1.',
  );
  expect(() => parseSiteEnv({})).toThrow(
    'PLATFORM_INTERNAL_URL is required: the address the platform gives this site for GET /user.',
  );
});
