import { expect, test } from 'vitest';
import { compileUriTemplate } from './uri-template.ts';

const documents = compileUriTemplate('file://documents/{name}');

test('[M19 M20] a template extracts the variables of a matching URI, decoded once', () => {
  const settings = compileUriTemplate('config://settings/{key}');
  expect(documents.variables).toEqual(['name']);
  expect(documents.match('file://documents/handbook')).toEqual({ name: 'handbook' });
  expect(documents.match('file://documents/Annual%20report%202026.txt')).toEqual({
    name: 'Annual report 2026.txt',
  });
  expect(documents.match('file://documents/Z%C3%BCrich')).toEqual({ name: 'Zürich' });
  expect(documents.match('file://documents/50%2525')).toEqual({ name: '50%25' });
  expect(documents.match('file://documents/..hidden')).toEqual({ name: '..hidden' });
  expect(documents.match('file://documents/__proto__')).toEqual({ name: '__proto__' });
  expect(settings.match('config://settings/theme.colour')).toEqual({ key: 'theme.colour' });
});

test('adjacent variables are separated by the literals between them', () => {
  const rows = compileUriTemplate('db://{table}/rows/{id}.json');
  expect(rows.variables).toEqual(['table', 'id']);
  expect(rows.match('db://people/rows/7.json')).toEqual({ table: 'people', id: '7' });
  expect(rows.match('db://people/rows/7xjson')).toBeUndefined();
  expect(rows.match('db://people/other/rows/7.json')).toBeUndefined();
});

test('a template without variables matches one URI', () => {
  const about = compileUriTemplate('info://about');
  expect(about.match('info://about')).toEqual({});
  expect(about.match('info://about/x')).toBeUndefined();
});

test.each([
  'file://documents/',
  'file://documents',
  'file://documents/a/b',
  'file://documents//a',
  'file://documents/a/',
  'file://documents/a?b',
  'file://documents/a#b',
  'file://DOCUMENTS/a',
  'file:///documents/a',
  'xfile://documents/a',
  'config://settings/a',
  '',
])('[M19] %j does not match', (uri) => {
  expect(documents.match(uri)).toBeUndefined();
});

test.each([
  'file://documents/..',
  'file://documents/.',
  'file://documents/%2e%2e',
  'file://documents/%2E',
  'file://documents/..%2f..%2fetc%2fpasswd',
  'file://documents/..%2Fetc',
  'file://documents/a%2fb',
  'file://documents/..%5c..%5cwindows',
  'file://documents/a\\b',
  'file://documents/%2e%2e%20',
  'file://documents/a%00.txt',
  'file://documents/a%0d%0ab',
  'file://documents/a\nb',
  'file://documents/%7f',
  'file://documents/%c2%85',
  'file://documents/%',
  'file://documents/%zz',
  'file://documents/%c3%28',
  'file://documents/%ed%a0%80',
  'file://documents/\ud800',
  `file://documents/${'a'.repeat(2_048)}`,
])('[M19] %j is rejected', (uri) => {
  expect(documents.match(uri)).toBeUndefined();
});

test('[M19] a URI of the size of a body is rejected without being normalized, which would take minutes', () => {
  expect(documents.match(`file://documents/${'\u0301\u0316'.repeat(250_000)}`)).toBeUndefined();
});

test.each([
  'a://{+path}',
  'a://{?q}',
  'a://{a,b}',
  'a://{a}{b}',
  'a://{a}/{a}',
  'a://{',
  'a://{}',
  'a://}',
])('%j is not a template of level 1 that can be matched', (template) => {
  expect(() => compileUriTemplate(template)).toThrow(TypeError);
});

test('special characters of regular expressions in a template are literal', () => {
  const odd = compileUriTemplate('a.b+c://x*(y)/[z]/{id}^$|\\-');
  expect(odd.match('a.b+c://x*(y)/[z]/7^$|\\-')).toEqual({ id: '7' });
  expect(odd.match('aXb+c://x*(y)/[z]/7^$|\\-')).toBeUndefined();
});

test('a hostile URI matches nothing', () => {
  const several = compileUriTemplate('a://{a}-{b}-{c}-{d}');
  expect(several.match(`a://${'-'.repeat(2_000)}/`)).toBeUndefined();
  expect(documents.match('file://documents/' + '%2e'.repeat(1_000_000))).toBeUndefined();
});
