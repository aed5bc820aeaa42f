/** Redirects of routes, as seen by documents, client navigations and resources. */
import { redirect } from '@remix-run/node';
import { expect, test, vi } from 'vitest';
import { settings } from '../testing/listening-site.ts';
import { requestSite, createSmallSite } from '../../test/small-site.tsx';
import { externalRedirect } from '../external-redirect.ts';
import { lines, logged } from '../testing/log-double.ts';

vi.mock('../log.ts', () => import('../testing/log-double.ts'));

let respond: () => Response = () => new Response();
const route = {
  default: () => null,
  loader: () => respond(),
  action: () => {
    throw respond();
  },
};
const { siteOrigin } = settings;
const site = createSmallSite({
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
  for (const target of [
    'https://evil.test/canary',
    '//evil.test/canary',
    '/\\evil.test/canary',
    'http://site.example/canary',
    'https://',
  ]) {
    lines.length = 0;
    respond = () => new Response(null, { status: 302, headers: { location: target } });
    const response = await requestSite(site, path, init);
    expect(response.status).toBe(500);
    expect(response.headers.get('location')).toBeNull();
    expect(await response.text()).not.toMatch(/evil|canary/);
    expect(JSON.stringify(logged())).toContain('externalRedirect');
  }
});

test.each(ways)('%s is redirected on the site, in any spelling', async (_, path, init) => {
  for (const target of ['/page', 'https://site.example/page', '?a=1', '/page?next=//x']) {
    respond = () => redirect(target);
    const response = await requestSite(site, path, init);
    const shown = response.headers.get('location') ?? (await response.text());
    expect(shown).toContain(target);
  }
});

test.each(ways)('%s leaves the site where the redirect is allowed to', async (_, path, init) => {
  respond = () => externalRedirect('https://pay.example/?id=1', ['https://pay.example']);
  const response = await requestSite(site, path, init);
  const shown = response.headers.get('location') ?? (await response.text());
  expect(shown).toContain('https://pay.example/?id=1');
});
