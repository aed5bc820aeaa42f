import { expect, test } from 'vitest';
import { readOrigin, readSource } from './origins.ts';

test.each([
  ['https://site.example', 'https://site.example'],
  ['https://site.example/', 'https://site.example'],
  ['https://site.example:443', 'https://site.example'],
  ['http://site.example:80/', 'http://site.example'],
  ['https://site.example:8443', 'https://site.example:8443'],
  ['HTTPS://Site.Example', 'https://site.example'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['https://xn--bcher-kva.example:443', 'https://xn--bcher-kva.example'],
  ['https://BÜCHER.example', 'https://xn--bcher-kva.example'],
  [' https://site.example ', 'https://site.example'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['http://[0:0::1]:3000', 'http://[::1]:3000'],
  ['http://my_site.internal', 'http://my_site.internal'],
])('the origin %j is read as %s', (text, value) => {
  expect(readOrigin(text)).toEqual({ value });
});

test.each([
  ['site.example', 'must be an http or https origin, such as https://site.example'],
  ['site.example:443', 'must be an http or https origin, such as https://site.example'],
  ['blob:https://site.example/x', 'must be an http or https origin, such as https://site.example'],
  ['null', 'must be an http or https origin, such as https://site.example'],
  ['', 'must be an http or https origin, such as https://site.example'],
  ['https://Site.example/path', 'must be only https://site.example'],
  ['https://site.example?a=b', 'must be only https://site.example'],
  ['https://site.example/#top', 'must be only https://site.example'],
  ['https://a:b@site.example/p', 'must be only https://site.example'],
  ...['/s3cret@', '?s3cret@', '#s3cret@'].map((end) => [
    `https://admin:1234${end}site.example`,
    'must be an origin without credentials, such as https://site.example',
  ]),
  ['https://site.example.', 'must be only https://site.example'],
  ['https://site.example.:8443/', 'must be only https://site.example:8443'],
  ['https://*.site.example', 'must have a host of letters, digits, dots and hyphens'],
  ['https://site.example..', 'must have a name before and after each dot of its host'],
  ['https://.site.example/x', 'must have a name before and after each dot of its host'],
  ['https://*.site.example/x', 'must have a host of letters, digits, dots and hyphens'],
  ['https://site.example:65536', 'must have a port of at most 65535'],
  ['https://site.example:80a', 'must have a port of at most 65535'],
  ...[
    'https://a.example,https://b.example',
    'https://a.example, b.example',
    'https://a.example\nhttps://b.example',
    'https://a.example; https://b.example',
  ].map((list) => [list, 'must be one origin, not a list']),
  ...['https://user:pa#s3cret@site.example', 'https://u:p@a.example,https://b.example'].map(
    (hidden) => [hidden, 'must be an origin without credentials, such as https://site.example'],
  ),
  ['https://a.example;script-src', 'must have a host of letters, digits, dots and hyphens'],
])(
  'the origin %j is refused with the reason, and the right spelling where there is one',
  (text, problem) => {
    expect(readOrigin(text)).toEqual({ problem });
  },
);

const options = { schemes: ['https', 'http', 'wss', 'ws'], path: true };

test.each([
  ["'self'", "'self'"],
  ["'SELF'", "'self'"],
  ["'sha256-AbC+/='", "'sha256-AbC+/='"],
  ['data:', 'data:'],
  ['Blob:', 'blob:'],
  ['https://Images.example:443/', 'https://images.example'],
  ['https://*.Bücher.example', 'https://*.xn--bcher-kva.example'],
  ['https://*.example:8443', 'https://*.example:8443'],
  ['https://images.example:*', 'https://images.example:*'],
  ['https://images.example:*/', 'https://images.example:*'],
  ['https://cdn.example/lib/v1/', 'https://cdn.example/lib/v1/'],
  ['https://cdn.example//images/', 'https://cdn.example//images/'],
  ['https://cdn.example/a;b,c/ö', 'https://cdn.example/a%3Bb%2Cc/%C3%B6'],
  ['WSS://Live.example:443', 'wss://live.example'],
  ['ws://live.example:80/', 'ws://live.example'],
])('the source %j is read as %s', (text, value) => {
  expect(readSource(text, options)).toEqual({ value });
});

test.each([
  ['self', `must have single quotes around self, which shells remove: "'self'"`],
  ['images.example', 'must begin with https:// or http:// or wss:// or ws://'],
  ['*', 'must begin with https:// or http:// or wss:// or ws://'],
  ['ftp://images.example', 'must begin with https:// or http:// or wss:// or ws://'],
  ['wss://*.live.example.:*', 'must be only wss://*.live.example:*'],
  ['https://a@images.example', 'must be only https://images.example'],
  ['https://images.example/a?b', 'must be only https://images.example'],
  ['https://images.example;', 'must have a host of letters, digits, dots and hyphens'],
  ['https://[::1]', 'must have a host of letters, digits, dots and hyphens'],
  ['https://a..example/x', 'must have a name before and after each dot of its host'],
  ['https://*..example', 'must have a name before and after each dot of its host'],
  ['wss://*.live.example:99999/x', 'must have a port of at most 65535'],
  [
    'https://user:pa#s3cret@a.example',
    'must be an origin without credentials, such as https://site.example',
  ],
  ['https://*', 'must have a host of letters, digits, dots and hyphens'],
])(
  'the source %j is refused with the reason, and the right spelling where there is one',
  (text, problem) => {
    expect(readSource(text, options)).toEqual({ problem });
  },
);

test('a source may have a path only where one is allowed', () => {
  expect(readSource('https://*.Example:443/path/', { schemes: ['https'] })).toEqual({
    problem: 'must be only https://*.example',
  });
  expect(readSource('https://admin:1234/s3cret@platform.example', { schemes: ['https'] })).toEqual({
    problem: 'must be an origin without credentials, such as https://site.example',
  });
  expect(readSource('https://platform.example//', { schemes: ['https'] })).toEqual({
    problem: 'must be only https://platform.example',
  });
});
