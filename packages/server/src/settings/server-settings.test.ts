/** The server's settings and the values of a site's own. */
import { expect, test } from 'vitest';
import {
  internalUrl,
  readContentSources,
  readSettings,
  serverSettings,
  SettingError,
} from './index.ts';

const groups = {
  site: {
    internalUrl: {
      name: 'PLATFORM_INTERNAL_URL',
      schema: internalUrl.optional(),
      about: 'An address.',
    },
  },
  server: serverSettings,
} as const;

const parse = (source: Record<string, string>) => readSettings(groups, source);

test('every setting has a default', () => {
  expect(parse({})).toMatchObject({
    mode: 'production',
    port: 3000,
    host: '0.0.0.0',
    siteOrigin: 'http://localhost:3000',
    frameAncestors: ["'none'"],
    logLevel: 'info',
    maxConnections: 1_000,
    shutdownDelay: 5,
  });
  expect(parse({ NODE_ENV: 'development' })).toMatchObject({ logLevel: 'warn', shutdownDelay: 0 });
});

test('an empty setting counts as unset', () => {
  expect(parse({ PORT: '', SITE_ORIGIN: '' })).toEqual(parse({}));
});

test.each([
  ['https://site.example:443', 'https://site.example'],
  ['HTTPS://Site.Example/', 'https://site.example'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['http://[0::1]:3000/', 'http://[::1]:3000'],
])('the origin %s is normalised to %s, which browsers send', (given, value) => {
  expect(parse({ SITE_ORIGIN: given }).siteOrigin).toBe(value);
});

test('the sources that may frame the site are normalised', () => {
  const given =
    "'SELF' HTTPS://Platform.Example:443/ https://*.bücher.example, http://x.example:*/";
  expect(parse({ PLATFORM_FRAME_ANCESTORS: given }).frameAncestors).toEqual([
    "'self'",
    'https://platform.example',
    'https://*.xn--bcher-kva.example',
    'http://x.example:*',
  ]);
});

test.each<[Record<string, string>, string]>([
  [{ SITE_ORIGIN: 'https://Site.example/shop' }, 'SITE_ORIGIN must be only https://site.example.'],
  [{ SITE_ORIGIN: 'https://site.example.' }, 'SITE_ORIGIN must be only https://site.example.'],
  [
    { SITE_ORIGIN: 'https://a.example,https://b.example' },
    'SITE_ORIGIN must be one origin, not a list.',
  ],
  [
    { SITE_ORIGIN: 'https://a.example https://b.example' },
    'SITE_ORIGIN must be one origin, not a list.',
  ],
  [
    { SITE_ORIGIN: 'https://a..example' },
    'SITE_ORIGIN must have a name before and after each dot of its host.',
  ],
  [
    { PLATFORM_FRAME_ANCESTORS: 'https://a..example' },
    'PLATFORM_FRAME_ANCESTORS must have a name before and after each dot of its host.',
  ],
  [{ SITE_ORIGIN: 'https://a.example:99999' }, 'SITE_ORIGIN must have a port of at most 65535.'],
  [
    { PLATFORM_FRAME_ANCESTORS: 'https://a.example:99999' },
    'PLATFORM_FRAME_ANCESTORS must have a port of at most 65535.',
  ],
  [
    { PLATFORM_INTERNAL_URL: 'http://a.example:99999' },
    'PLATFORM_INTERNAL_URL must have a port of at most 65535.',
  ],
  [
    { PLATFORM_INTERNAL_URL: 'http://a..example' },
    'PLATFORM_INTERNAL_URL must have a name before and after each dot of its host.',
  ],
  [
    { SITE_ORIGIN: 'https://*.site.example/shop' },
    'SITE_ORIGIN must have a host of letters, digits, dots and hyphens.',
  ],
  [
    { PLATFORM_FRAME_ANCESTORS: 'https://*.Site.example/shop' },
    'PLATFORM_FRAME_ANCESTORS must be only https://*.site.example.',
  ],
  [
    { PLATFORM_FRAME_ANCESTORS: 'https://platform.example/page' },
    'PLATFORM_FRAME_ANCESTORS must be only https://platform.example.',
  ],
  [
    { PLATFORM_FRAME_ANCESTORS: 'self' },
    `PLATFORM_FRAME_ANCESTORS must have single quotes around self, which shells remove: "'self'".`,
  ],
  [
    { PLATFORM_FRAME_ANCESTORS: 'platform.example' },
    "PLATFORM_FRAME_ANCESTORS must list origins such as https://host.example, 'self' or 'none', separated by spaces.",
  ],
])('%j is refused with the reason and the right spelling', (given, sentence) => {
  expect(() => parse({ ...given })).toThrow(new SettingError(sentence));
});

const whole = 'must be a whole number.';
const numbers: Record<string, string> = {
  PORT: 'must be a port number.',
  MAX_CONNECTIONS: whole,
  SHUTDOWN_DELAY_SECONDS: 'must be a number of seconds.',
};

test.each(Object.entries(numbers))('%s is a number in digits, or refused', (name, reason) => {
  for (const value of [
    ' ',
    '\t',
    '1e3',
    '0x10',
    '+5',
    '1_000',
    '0b1',
    'NaN',
    'Infinity',
    '٣',
    '5.',
  ]) {
    const refusal = () => parse({ [name]: value });
    expect(refusal, value).toThrow(`${name} ${reason}`);
  }
  expect(() => parse({ [name]: ' 5 ' })).not.toThrow();
  expect(() => parse({ [name]: '9'.repeat(400) })).toThrow(`${name} must be`);
});

test.each([
  ['0.0.0.0', '0.0.0.0'],
  ['::', '::'],
  ['::1', '::1'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ['localhost', 'localhost'],
  [' site-1.internal ', 'site-1.internal'],
])('the server listens on %j as %s', (given, host) => {
  expect(parse({ HOST: given }).host).toBe(host);
});

test.each([
  ...['[::1]', '[::1]:3000', '0.0.0.0:3000', 'localhost:', 'http://x', 'http://x:80/y', 'x/'],
  ...['256.0.0.1', '3000', 'a..b', '*', 'a b', 'http://user:canary@x', ' '],
])('HOST %s is refused', (value) => {
  expect(() => parse({ HOST: value })).toThrow(
    new SettingError(
      'HOST must be an IP address or a host name of this machine, without a port, such as 0.0.0.0.',
    ),
  );
});

test("'none' stands alone: browsers ignore it beside others", () => {
  for (const sources of ["'none' https://a.example", "'self' 'NONE'"]) {
    expect(() => parse({ PLATFORM_FRAME_ANCESTORS: sources })).toThrow(
      "PLATFORM_FRAME_ANCESTORS must not have 'none' beside other sources.",
    );
  }
});
test.each([
  ['http://127.0.0.1:4001', 'http://127.0.0.1:4001'],
  ['http://127.0.0.1:4001/', 'http://127.0.0.1:4001'],
  ['http://127.0.0.1:4001/base//', 'http://127.0.0.1:4001/base'],
  ['http://127.0.0.1:4001?', 'http://127.0.0.1:4001'],
  ['http://127.0.0.1:4001#', 'http://127.0.0.1:4001'],
  [' http://127.0.0.1:4001 ', 'http://127.0.0.1:4001'],
])('the internal address %j is normalised to a base URL [W12]', (given, base) => {
  expect(parse({ PLATFORM_INTERNAL_URL: given }).internalUrl).toBe(base);
});
test('credentials in PLATFORM_INTERNAL_URL are the reason why it is refused', () => {
  for (const url of [
    'http://user:pa#ss@internal.example',
    'http://user:pass@internal.example',
    'http://admin:1234/s3cret@p',
    'http://admin:1234\\s3cret@p',
    'http://admin:1234?s3cret@p',
    'http://admin:99999/s3cret@p',
    'http:admin:s3cret@p',
  ]) {
    expect(() => parse({ PLATFORM_INTERNAL_URL: url })).toThrow(
      'PLATFORM_INTERNAL_URL must have no credentials, query or fragment.',
    );
  }
});

test.each<[string, Record<string, string>]>([
  ['SITE_ORIGIN', { SITE_ORIGIN: 'site.example' }],
  ['SITE_ORIGIN', { SITE_ORIGIN: 'https://site.example/path' }],
  ['SITE_ORIGIN', { SITE_ORIGIN: 'https://site.example?canary' }],
  ['SITE_ORIGIN', { SITE_ORIGIN: 'https://user:canary@site.example' }],
  ['SITE_ORIGIN', { SITE_ORIGIN: 'javascript:alert(1)' }],
  ['SITE_ORIGIN', { SITE_ORIGIN: 'null' }],
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
  ['PLATFORM_INTERNAL_URL', { PLATFORM_INTERNAL_URL: 'canary' }],
  ['PLATFORM_INTERNAL_URL', { PLATFORM_INTERNAL_URL: '127.0.0.1:4001' }],
  ['PLATFORM_INTERNAL_URL', { PLATFORM_INTERNAL_URL: 'ftp://canary' }],
  ['PLATFORM_INTERNAL_URL', { PLATFORM_INTERNAL_URL: 'file:///canary' }],
  ['PLATFORM_INTERNAL_URL', { PLATFORM_INTERNAL_URL: 'http://user:canary@internal.example' }],
  ['PLATFORM_INTERNAL_URL', { PLATFORM_INTERNAL_URL: 'http://internal.example/?token=canary' }],
  ['PLATFORM_INTERNAL_URL', { PLATFORM_INTERNAL_URL: 'http://internal.example/#canary' }],
])('a malformed %s fails with one sentence that names it: %j [W02]', (name, given) => {
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

test('content sources are normalised as browsers compare them', () => {
  const sources = {
    'img-src': ['https://Images.example:443/', 'https://*.bücher.example', 'data:'],
    'connect-src': ['wss://Live.example', 'https://cdn.example/lib/'],
  };
  expect(readContentSources(sources, 'site.config.ts')).toEqual({
    'img-src': ['https://images.example', 'https://*.xn--bcher-kva.example', 'data:'],
    'connect-src': ['wss://live.example', 'https://cdn.example/lib/'],
  });
});

test.each([
  ['images.example', 'images.example must begin with https:// or http:// or wss:// or ws://.'],
  [
    "https://images.example; script-src 'unsafe-inline'",
    "https://images.example; script-src 'unsafe-inline' must have a host of letters, digits, dots and hyphens.",
  ],
  ['https://images.example.', 'https://images.example. must be only https://images.example.'],
])('the content source %s is refused with one sentence', (source, sentence) => {
  const place = "contentSources['img-src'] in site.config.ts: ";
  expect(() => readContentSources({ 'img-src': [source] }, 'site.config.ts')).toThrow(
    new SettingError(place + sentence),
  );
});
