import { expect, test } from 'vitest';
import { isResource } from '../../test/listening-site';
import { createRequestContext } from './request-context';

const own = { signal: new AbortController().signal, requestId: 'r1', nonce: 'n1' };
const contextAt = (path: string) =>
  createRequestContext(new URL(path, 'https://site.example'), isResource, own);

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
