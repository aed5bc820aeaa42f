import { expect, test } from 'vitest';
import { requestedPath, returnPathOf, safeReturnPath } from './return-path.ts';

test.each([
  ['https://site.example//evil.test/x?y=1', '/evil.test/x?y=1'],
  ['https://site.example/.//evil.test', '/evil.test'],
  ['https://site.example///evil.test', '/evil.test'],
  ['https://site.example/\\evil.test', '/evil.test'],
  ['https://site.example//', '/'],
  ['https://site.example/x/..//evil.test', '/evil.test'],
  ['https://site.example/%2e//evil.test', '/evil.test'],
  ['https://site.example/a?next=//evil.test', '/a?next=//evil.test'],
  ['https://site.example/a//b', '/a//b'],
])('visiting %s cannot produce a return path to another site: %s [W05]', (address, path) => {
  const returnPath = returnPathOf(new URL(address));
  expect(returnPath).toBe(path);
  expect(new URL(returnPath, 'https://site.example').origin).toBe('https://site.example');
});

test.each([
  ['/', '/'],
  ['/notes?tag=a&next=//b', '/notes?tag=a&next=//b'],
  ['/a//b', '/a//b'],
  ['/a b', '/a%20b'],
  ['/notes#last', '/notes'],
  ['/x/../notes', '/notes'],
])('the return path %s is read as %s', (given, path) => {
  expect(safeReturnPath(given, '/fallback')).toBe(path);
});

test.each([
  '//evil.test',
  '/\\evil.test',
  '\\\\evil.test',
  '/.//evil.test',
  '/x/..//evil.test',
  '/%2e//evil.test',
  '/\t/evil.test',
  '/\n\\evil.test',
  '//',
  'https://evil.test/',
  'https:/evil.test',
  'blob:https://site.example/x',
  'javascript:alert(1)',
  'notes',
  '?x=1',
  ' /notes',
  '',
  null,
  undefined,
  7,
  ['/notes'],
])('the return path %j is rejected in favour of the fallback', (given) => {
  expect(safeReturnPath(given, '/fallback')).toBe('/fallback');
  expect(safeReturnPath(given)).toBe('/');
});

const noPages = [
  '/%ff',
  '/%',
  '/notes/%E0%A4%A',
  '/%c0%ae',
  '/%5cevil.test',
  '/%09%5cevil.test',
  '/%ff.data',
  '/api/user',
  '/API/user.data',
  '/%61pi/user',
  '/api',
  '/__auth/logout',
  '/__AUTH/logout?return=/',
  '/%5f_auth/logout',
  '/__auth',
  '/__auth/logout.data',
  '/assets/home-abc.js',
  '/healthz',
  '/readyz',
  '/notes?_data=routes/notes',
  '/notes?a=b&%5fdata',
];

test.each(noPages)('%s is no page: the fallback replaces it', (given) => {
  expect(safeReturnPath(given, '/fallback')).toBe('/fallback');
  expect(returnPathOf(new URL(given, 'https://site.example'))).toBe('/');
});

test.each([
  ['/_root.data', '/'],
  ['/_root.data?_routes=root', '/'],
  ['/_root.data?x=//y&_routes=root', '/?x=//y'],
  ['/_.data?x=1&_routes=root', '/?x=1'],
  ['/notes/_.data', '/notes/'],
  ['/notes.data', '/notes'],
  ['/_root', '/_root'],
  ['/notes.data?s=a%20b&_routes=routes%2Fnotes', '/notes?s=a%20b'],
  ['/notes%2edata', '/notes'],
  ['/notes/a.data/b', '/notes/a.data/b'],
  ['/notes?_routes=x', '/notes?_routes=x'],
  ['/apis', '/apis'],
  ['/__authors', '/__authors'],
  ['/assets', '/assets'],
  ['/%C3%B6l', '/%C3%B6l'],
  ['/a%2fb', '/a%2fb'],
])('%s leads to its page, %s', (given, page) => {
  expect(safeReturnPath(given, '/fallback')).toBe(page);
  expect(returnPathOf(new URL(given, 'https://site.example'))).toBe(page);
});

test('a path that is too long for a header is rejected', () => {
  expect(safeReturnPath(`/${'a'.repeat(2_047)}`)).toHaveLength(2_048);
  expect(safeReturnPath(`/${'a'.repeat(2_048)}`, '/fallback')).toBe('/fallback');
  expect(safeReturnPath(`/${'ö'.repeat(1_000)}`, '/fallback')).toBe('/fallback');
});

test('the path of a request is the visitor’s, byte for byte, where the server knows it [W05]', () => {
  const request = new Request('https://site.example/notes?s=a+b&x=');
  expect(requestedPath({ request, context: {} })).toBe('/notes?s=a+b&x=');
  const page = { pathname: '/notes', search: '?s=a%20b&x' };
  expect(requestedPath({ request, context: { page } })).toBe('/notes?s=a%20b&x');
  expect(requestedPath({ request, context: { page: { pathname: '//e.test', search: '' } } })).toBe(
    '/e.test',
  );
});
