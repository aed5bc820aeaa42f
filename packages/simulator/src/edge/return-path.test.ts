/** The return path policy against hostile and harmless values. */
import { describe, expect, it } from 'vitest';

import { readReturnPath } from './return-path.ts';

const ORIGIN = 'http://site.localhost:4000';

const HOSTILE = [
  // Plainly another host.
  'http://evil.test',
  'https://evil.test/',
  'HTTP://EVIL.TEST/',
  'http://evil.test:4000/',
  'http:evil.test',
  'https:evil.test',
  'http:/evil.test',
  'https:///evil.test',
  'http:///evil.test/%2f..',
  'ftp://site.localhost:4000/',
  'ws://site.localhost:4000/',
  'https://site.localhost:4000/',
  'http://site.localhost/',
  'http://site.localhost:4001/',
  'http://platform.localhost:4000/',
  'http://site.localhost:4000.evil.test/',
  'http://site.localhost:4000@evil.test/',
  'http://site.localhost.evil.test:4000/',
  'http://user@site.localhost:4000/',
  'http://user:password@site.localhost:4000/x',
  'http://:@evil.test/',
  // Protocol-relative, in many spellings.
  '//evil.test',
  '//evil.test/',
  '//evil.test/%2e%2e',
  '//evil.test:80',
  '///evil.test',
  '////evil.test',
  '/////evil.test/',
  '//user@evil.test',
  '//evil%00.test',
  '//%65vil.test',
  '//evil。test',
  '//[::1]/',
  '//0x7f000001/',
  '//2130706433',
  '//',
  '///',
  '//?evil.test',
  '//#evil.test',
  // Backslashes.
  '\\\\evil.test',
  '/\\evil.test',
  '/\\/evil.test',
  '\\/evil.test',
  '\\evil.test',
  '/\\\\evil.test',
  '//\\evil.test',
  '/x\\y',
  'http:\\\\evil.test',
  'http:/\\evil.test',
  '/..\\evil.test',
  // Paths that serialize to another host.
  '/.//evil.test',
  '/./\\evil.test',
  '/..//evil.test',
  '/x/..//evil.test',
  '/x/../..//evil.test',
  '/x/y/../..//evil.test',
  '/%2e//evil.test',
  '/%2e%2e//evil.test',
  '/%2E%2E//evil.test',
  '/x/%2e%2e//evil.test',
  '/x/.%2e//evil.test',
  '/x/%2e.//evil.test',
  './/evil.test',
  '..//evil.test',
  'x/..//evil.test',
  'http://site.localhost:4000//evil.test',
  'http://site.localhost:4000/.//evil.test',
  'http://site.localhost:4000/x/..//evil.test',
  // Encoded slashes.
  '/%2fevil.test',
  '/%2Fevil.test',
  '/%2f%2fevil.test',
  '/%5cevil.test',
  '/%5Cevil.test',
  '/%5c%5cevil.test',
  '/%2fevil.test%',
  '/%2fevil.test%zz',
  '/%252fevil.test',
  '/%25252fevil.test',
  '/%255cevil.test',
  '/.%2f%2fevil.test',
  '/.%2f/evil.test',
  '/x%2f..%2f%2fevil.test',
  '/x/..%2f/evil.test',
  '/x/..%5cevil.test/../..%5c/evil.test',
  '/x%2f..%2f__auth/logout',
  '/..%5c__auth/logout',
  // Control characters and whitespace that parsers drop.
  '/\t/evil.test',
  '/\n/evil.test',
  '/\r/evil.test',
  '\t//evil.test',
  ' //evil.test',
  '\u0000//evil.test',
  '/\u0000',
  '/x\r\nset-cookie: a=b',
  '/x%0d%0aset-cookie:%20a=b',
  '/x%250d%250aset-cookie:%20a=b',
  '/%00',
  '/%09/evil.test',
  '/%0a/evil.test',
  '/\u007f',
  '/\u0085x',
  'h\tttp://evil.test',
  'ht\ntp://evil.test',
  ' http://evil.test',
  ' /shop',
  '\u00a0//evil.test',
  '\u2028//evil.test',
  '\ufeff//evil.test',
  // Other schemes.
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'javascript://site.localhost:4000/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'about:blank',
  'mailto:a@evil.test',
  'blob:http://site.localhost:4000/0f6c2d3e',
  'blob:http://evil.test/0f6c2d3e',
  'filesystem:http://site.localhost:4000/temporary/x',
  'view-source:http://site.localhost:4000/',
  'x:/',
  'http:',
  'http://',
  ':',
  // The platform's own routes: loops, and sign-out on sign-in.
  '/__auth/login',
  '/__auth/logout',
  '/__auth/login?return=/__auth/login',
  '/__auth/switch?code=x',
  '/__auth',
  '/__auth/',
  '/__AUTH/logout',
  '/%5f%5fauth/logout',
  '/%5F%5Fauth%2flogout',
  '/%255f_auth/logout',
  '/./__auth/logout',
  '/x/../__auth/logout',
  'http://site.localhost:4000/__auth/logout',
  // No path at all.
  'evil.test',
  'shop',
  '?x=1',
  '#x',
  '.',
  '..',
  '@evil.test',
  `/${'a'.repeat(2_048)}`,
];

/** A value, and where it leads if that differs. */
const HARMLESS: readonly (readonly [string, string?])[] = [
  ['/'],
  ['/shop'],
  ['/shop/'],
  ['/shop?page=2'],
  ['/shop?page=2&sort=new#top'],
  ['/shop#//evil.test'],
  ['/search?q=a//b'],
  ['/search?next=http://evil.test/'],
  ['/search?next=//evil.test'],
  ['/search?next=%2F%2Fevil.test'],
  ['/search?q=%0d%0a'],
  ['/search?q=%5c'],
  ['/search?q=a b', '/search?q=a%20b'],
  ['/search?return=/__auth/login'],
  ['/a//b'],
  ['/a/b//c?x=1'],
  ['/files/a%2Fb'],
  ['/files/a%5cb'],
  ['/files/100%'],
  ['/@ada'],
  ['/a:b'],
  ['/:x'],
  ['/a@b.test/c'],
  ['/__authors'],
  ['/x/__auth/login'],
  ['/café', '/caf%C3%A9'],
  ['/日本', '/%E6%97%A5%E6%9C%AC'],
  ['/a/../b', '/b'],
  ['/./a', '/a'],
  ['/javascript:alert(1)'],
  ['/http://evil.test'],
  ['/evil.test'],
  ['http://site.localhost:4000', '/'],
  ['http://site.localhost:4000/shop?a=b', '/shop?a=b'],
  ['', '/'],
];

describe('return paths', () => {
  it.each(HOSTILE)('refuses %j', (value) => {
    expect(readReturnPath(value, ORIGIN)).toMatchObject({ ok: false, path: '/' });
  });

  it.each(HARMLESS)('accepts %j', (value, lands = value) => {
    expect(readReturnPath(value, ORIGIN)).toEqual({ ok: true, path: lands });
  });

  it('sends a visitor without a return path to the front page', () => {
    expect(readReturnPath(null, ORIGIN)).toEqual({ ok: true, path: '/' });
  });

  it('never leaves the site, for values generated from hostile parts', () => {
    const parts = [
      '/',
      '//',
      '\\',
      '.',
      '..',
      '%2e',
      '%2f',
      '%5c',
      '@',
      ':',
      '?',
      '#',
      'evil.test',
    ];
    for (const a of parts)
      for (const b of parts)
        for (const c of parts)
          for (const d of parts) {
            const { path } = readReturnPath(a + b + c + d, ORIGIN);
            const lands = new URL(path, ORIGIN);
            if (lands.origin !== ORIGIN || lands.pathname.startsWith('//')) {
              expect.fail(`${a + b + c + d} leads to ${lands.href}`);
            }
          }
  });

  it('has hostile values that a plain origin check would accept', () => {
    const naive = HOSTILE.filter(
      (value) => URL.canParse(value, ORIGIN) && new URL(value, ORIGIN).origin === ORIGIN,
    );
    expect(HOSTILE.length).toBeGreaterThan(100);
    expect(naive.length).toBeGreaterThan(20);
  });
});
