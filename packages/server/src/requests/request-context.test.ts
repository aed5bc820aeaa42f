import { expect, test } from 'vitest';
import { remix } from '../framework/remix/index.ts';
import { isResource } from '../testing/listening-site.ts';
import { createRequestContext } from './request-context.ts';

const site = { isResource, framework: remix };
const own = { signal: new AbortController().signal, requestId: 'r1', nonce: 'n1' };
const contextAt = (path: string) =>
  createRequestContext(new URL(path, 'https://site.example'), site, own);

test('a context is one object per request, with the request’s values', () => {
  expect(contextAt('/')).toMatchObject(own);
  expect(contextAt('/')).not.toBe(contextAt('/'));
});

test.each([
  ['/', 'document'],
  ['/page?x=.data', 'document'],
  ['/apiary', 'document'],
  ['/x/api/user', 'document'],
  ['/page.data', 'data'],
  ['/_root.data?_routes=root', 'data'],
  ['/api/user', 'resource'],
  ['/API/user', 'resource'],
  ['/%61pi/user', 'resource'],
  ['/api', 'resource'],
  ['/api/', 'resource'],
  ['/x/../api/user', 'resource'],
])('%s is a %s [W15]', (path, kind) => {
  expect(contextAt(path).kind).toBe(kind);
});

test.each([
  ['GET', '/page?s=a%20b&x&y=%7e', '/page', '?s=a%20b&x&y=%7e'],
  ['GET', '/page?index&_routes=x', '/page', '?index&_routes=x'],
  ['GET', '/page.data?s=a%20b&_routes=routes%2Fpage&x', '/page', '?s=a%20b&x'],
  ['GET', '/page.data?_routes=routes%2Fpage', '/page', ''],
  ['GET', '/page.data?&_routes=root', '/page', ''],
  ['GET', '/_root.data?s=a%20b', '/', '?s=a%20b'],
  ['POST', '/page?index&s=a%20b', '/page', '?s=a%20b'],
  ['POST', '/page.data?index=&s=a%20b&index=2', '/page', '?s=a%20b&index=2'],
])('the page of %s %s is %s%s [W05]', (method, path, pathname, search) => {
  const url = new URL(path, 'https://site.example');
  const { page } = createRequestContext(url, site, { ...own, method });
  expect(page).toEqual({ pathname, search });
});
