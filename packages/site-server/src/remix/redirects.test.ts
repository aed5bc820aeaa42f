/** Redirects of routes, as documents, client navigations and resources get them. */
import { redirect } from '@remix-run/node';
import { expect, test, vi } from 'vitest';
import { externalRedirect } from '~/external/redirect.server';
import { siteOrigin } from '~/testing/whole-site';
import { startSiteOnPlatform } from '~/testing/site-on-platform';
import { lines, logged } from '~/testing/log-double';

vi.mock('../log', () => import('~/testing/log-double'));

let answer: () => Response = () => new Response();
const route = {
  default: () => null,
  loader: () => answer(),
  action: () => {
    throw answer();
  },
};
const { site, signIn } = await startSiteOnPlatform({
  go: route,
  'api/go': { ...route, default: undefined },
});

const ways: [string, string, RequestInit?][] = [
  ['a document', '/go'],
  ['a client navigation', '/go.data'],
  ['a resource', '/api/go'],
  ['a form', '/go', { method: 'POST', headers: { origin: siteOrigin } }],
  ['a submission of a script', '/go.data', { method: 'POST', headers: { origin: siteOrigin } }],
];

test.each(ways)('%s is not redirected off the site', async (_, path, init) => {
  signIn();
  for (const target of [
    'https://evil.test/canary',
    '//evil.test/canary',
    '/\\evil.test/canary',
    'http://site.example/canary',
    'https://',
  ]) {
    lines.length = 0;
    answer = () => new Response(null, { status: 302, headers: { location: target } });
    const response = await site.ask(path, init);
    expect(response.status).toBe(500);
    expect(response.headers.get('location')).toBeNull();
    expect(await response.text()).not.toMatch(/evil|canary/);
    expect(JSON.stringify(logged())).toContain('externalRedirect');
  }
});

test.each(ways)('%s is redirected on the site, in any spelling', async (_, path, init) => {
  for (const target of ['/studio', 'https://site.example/studio', '?a=1', '/studio?next=//x']) {
    answer = () => redirect(target);
    const response = await site.ask(path, init);
    const shown = response.headers.get('location') ?? (await response.text());
    expect(shown).toContain(target);
  }
});

test.each(ways)('%s leaves the site where the code says to', async (_, path, init) => {
  answer = () => externalRedirect('https://pay.example/checkout?id=1', ['https://pay.example']);
  const response = await site.ask(path, init);
  const shown = response.headers.get('location') ?? (await response.text());
  expect(shown).toContain('https://pay.example/checkout?id=1');
});

test.each([
  'https://evil.test/',
  'https://pay.example.evil.test/',
  'http://pay.example/',
  'https://pay.example:8443/',
  'https://user:secret@pay.example/',
  'javascript:alert(1)',
  '/pay',
  '',
])('externalRedirect refuses %s', (target) => {
  expect(() => externalRedirect(target, ['https://pay.example'])).toThrow(TypeError);
});
