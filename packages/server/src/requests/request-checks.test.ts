import { expect, test } from 'vitest';
import { remix } from '../framework/remix/index.ts';
import { isResource } from '../testing/listening-site.ts';
import {
  checkRequest,
  isUntrustedHeader,
  requestUrl,
  type CheckedRequest,
} from './request-checks.ts';

const origin = 'https://site.example';

function check(given: Partial<Omit<CheckedRequest, 'url'>> & { target?: string }) {
  const url = requestUrl(given.target ?? '/page', origin);
  if (!url) throw new Error('no address');
  const { method = 'GET', headers = {}, httpVersion = '1.1' } = given;
  return checkRequest(
    { method, headers: { host: 'site.example', ...headers }, httpVersion, url },
    { siteOrigin: origin, isResource, framework: remix },
  );
}

test('only HTTP/1.0 may omit the host', () => {
  const headers = { host: undefined };
  expect(check({ headers })).toEqual({ status: 400, error: 'malformed_request' });
  expect(check({ headers, httpVersion: '1.0' })).toBeNull();
});

test.each([
  ['/', 'https://site.example/'],
  ['/a?b=c#d', 'https://site.example/a?b=c#d'],
  ['/a/../b', 'https://site.example/b'],
  ['//evil.test/x', 'https://site.example//evil.test/x'],
  ['/\\evil.test', 'https://site.example//evil.test'],
  ['/@evil.test', 'https://site.example/@evil.test'],
  ['/:80@evil.test', 'https://site.example/:80@evil.test'],
  ['/%zz', 'https://site.example/%zz'],
  ['/http://evil.test/', 'https://site.example/http://evil.test/'],
])('the target %s resolves to this site: %s', (target, address) => {
  const url = requestUrl(target, origin);
  expect(url?.href).toBe(address);
  expect(url?.origin).toBe(origin);
});

test.each([
  undefined,
  '',
  '*',
  'a',
  'http://evil.test/',
  'https://site.example/',
  '@evil.test',
  '.evil.test',
  ':80/',
])('the target %j is rejected', (target) => {
  expect(requestUrl(target, origin)).toBeNull();
});

test.each(['GET', 'HEAD'])('%s is allowed from anywhere', (method) => {
  for (const site of [undefined, 'same-origin', 'same-site', 'cross-site', 'none']) {
    expect(
      check({ method, headers: { 'sec-fetch-site': site, origin: 'https://e.test' } }),
    ).toBeNull();
  }
});

test.each(['OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND', 'get', 'QUERY', ''])(
  '%j is 405 with the allowed methods',
  (method) => {
    expect(check({ method, headers: { 'sec-fetch-site': 'same-origin' } })).toMatchObject({
      status: 405,
      error: 'method_not_allowed',
      headers: { allow: expect.stringContaining('GET') as string },
    });
  },
);

const sites = [
  undefined,
  'same-origin',
  'same-site',
  'cross-site',
  'none',
  '',
  'Same-Origin',
  'same-origin, same-origin',
  'same-origin ',
];
const origins = [
  undefined,
  origin,
  'null',
  '',
  'https://site.example:443',
  'https://site.example/',
  'http://site.example',
  'https://SITE.example',
  'https://evil.site.example',
  'https://site.example.evil.test',
  'https://evil.test',
  `${origin}, https://evil.test`,
];

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
  '%s needs the browser’s evidence of being same-origin [W19]',
  (method) => {
    for (const site of sites) {
      for (const from of origins) {
        const allowed = site === 'same-origin' || (site === undefined && from === origin);
        const refusal = check({ method, headers: { 'sec-fetch-site': site, origin: from } });
        const expected = allowed ? null : { status: 403, error: 'cross_site_request' };
        expect([site, from, refusal]).toEqual([site, from, expected]);
      }
    }
  },
);

test.each([
  ['//evil.test', '/evil.test'],
  ['//evil.test/a?b=//c', '/evil.test/a?b=//c'],
  ['///evil.test', '/evil.test'],
  ['/\\evil.test', '/evil.test'],
  ['/.//evil.test', '/evil.test'],
  ['/a/..//evil.test', '/evil.test'],
  ['/%2e//evil.test', '/evil.test'],
  ['//', '/'],
  ['/a////b///?c=//d', '/a/b/?c=//d'],
  ['/api\\\\user', '/api/user'],
  ['/api/user//', '/api/user/'],
])('%s redirects to %s, on this site', (target, location) => {
  expect(check({ target })).toEqual({ status: 308, error: 'moved', headers: { location } });
});

test.each(['/page?_data=routes%2Fpage', '/?a=1&_data', '/?%5Fdata=root', '/api/user?_data=x'])(
  '%s is rejected: a single loader’s data',
  (target) => {
    expect(check({ target })).toEqual({ status: 400, error: 'unsupported_query' });
  },
);

test.each(['/?data=1', '/?_datax=1', '/?x=_data', '/page.data', '/_root.data', '/?x=?_data'])(
  '%s is allowed',
  (target) => {
    expect(check({ target })).toBeNull();
  },
);

test.each([
  '/api/user.data',
  '/api/user.DATA',
  '/API/user.data',
  '/Api/User.Data?x=1',
  '/%61pi/user.data',
  '/%61%70%69/user%2edata',
  '/api/user%2Edata',
  '/api/user.%64ata',
  '/api/generations.data',
  '/api/generations/g1/output.png.data',
  '/x/../api/user.data',
  '/api/%2e/user.data',
  '/api%2Fuser.data',
  '/api/.data',
])('%s is rejected: an alternative address of a resource [W03]', (target) => {
  expect(check({ target })).toEqual({ status: 404, error: 'not_found' });
});

test.each([
  '/api/user',
  '/apiary.data',
  '/x/api/user.data',
  '/api/user.data/x',
  '/api/user?x=.data',
])('%s is not rejected as one', (target) => {
  expect(check({ target })).toBeNull();
});

test.each([
  '/%5c',
  '/%5C',
  '/%09%5C',
  '/%0a%0d%5c',
  '/%5c:x',
  '/%5cevil.test',
  '/%5c.data',
  '/%ff',
])('%s, which the router cannot parse, is rejected', (target) => {
  expect(check({ target })).toEqual({ status: 400, error: 'malformed_address' });
});

test.each(['/%20%5c', '/a%5cb', '/page/%5c', '/%2f%5c', '/%00%5c', '/%c3%a9'])(
  '%s is accepted',
  (target) => {
    expect(check({ target })).toBeNull();
  },
);

test.each([
  'authorization',
  'Authorization',
  'proxy-authorization',
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-user',
  'X_FORWARDED_HOST',
  'x_forwarded-for',
  'x-real-ip',
  'x-original-url',
  'x-rewrite-url',
  'x-client-ip',
  'client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-access-jwt-assertion',
  'remote-user',
  'x-remote-user',
  'x-user',
  'X-User-Id',
  'x_user_id',
  'x-userid',
  'x-username',
  'x-platform-user',
  'x-identity',
  'x-principal-name',
  'x-account',
  'x-account-id',
  'x-token',
  'x-access-token',
  'x-auth-request-email',
  'x-authenticated-user',
  'x-authenticated-userid',
  'x-goog-authenticated-user-email',
  'x-goog-iap-jwt-assertion',
  'x-ms-client-principal',
  'x-amzn-oidc-data',
  'x-webauth-user',
  'x-session',
  'x-session-id',
  'x-visitor',
  'x-persona',
  'x-email',
  'x-role',
  'x-roles',
  'x-groups',
  'x-consumer-username',
  'x-credential-identifier',
  'x-jwt-assertion',
  'x-ssl-client-s-dn',
  'ssl-client-cert',
  'x-client-cert',
  'oidc-claim-sub',
  'tailscale-user-login',
])('%s is untrusted [W01] [W19]', (name) => {
  expect(isUntrustedHeader(name)).toBe(true);
  expect(isUntrustedHeader(name.toUpperCase())).toBe(true);
  expect(isUntrustedHeader(name.replaceAll('-', '_'))).toBe(true);
});

test.each([
  'accept',
  'accept-language',
  'content-type',
  'content-length',
  'cookie',
  'host',
  'origin',
  'referer',
  'user-agent',
  'sec-fetch-site',
  'sec-ch-ua-platform',
  'if-none-match',
  'range',
  'x-remix-revalidate',
  'x-requested-with',
  'traceparent',
])('%s is passed on', (name) => {
  expect(isUntrustedHeader(name)).toBe(false);
});
