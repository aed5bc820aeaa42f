/** The elements of a page's head that the site gives each page, and a page may replace. */
import { expect, test, vi } from 'vitest';
import { startSite } from '~/testing/whole-site';
import { site as config, titleOf } from '~/site.config';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));
vi.stubEnv('PLATFORM_INTERNAL_URL', 'http://127.0.0.1:9');

const page = { default: () => null, handle: { access: 'none' } };
const site = await startSite({
  plain: page,
  titled: { ...page, meta: () => [{ title: 'Ours' }] },
  described: {
    ...page,
    meta: () => [
      { title: 'Ours' },
      { name: 'description', content: 'Our own' },
      { name: 'robots', content: 'noindex' },
      { name: 'viewport', content: 'width=500' },
      { tagName: 'link', rel: 'canonical', href: 'https://site.example/described' },
    ],
  },
});

/** The contents of the elements of a kind in the page's head. */
async function headOf(path: string) {
  const html = await (await site.send(path)).text();
  const all = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, found]) => found);
  const named = (name: string) => all(new RegExp(`<meta name="${name}" content="([^"]*)"`, 'g'));
  return {
    titles: all(/<title>([^<]*)</g),
    descriptions: named('description'),
    viewports: named('viewport'),
    robots: named('robots'),
    canonical: all(/<link rel="canonical" href="([^"]*)"/g),
  };
}

const viewports = ['width=device-width, initial-scale=1'];

test.each([
  ['/plain', titleOf()],
  ['/titled', 'Ours'],
])('%s has the site’s description, once, and the title %s', async (path, title) => {
  const descriptions = [config.description];
  const titles = [title];
  expect(await headOf(path)).toEqual({
    titles,
    descriptions,
    viewports,
    robots: [],
    canonical: [],
  });
});

test('a page’s own description and the like replace the site’s', async () => {
  expect(await headOf('/described')).toEqual({
    titles: ['Ours'],
    descriptions: ['Our own'],
    viewports: ['width=500'],
    robots: ['noindex'],
    canonical: ['https://site.example/described'],
  });
});
