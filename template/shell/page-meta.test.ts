/** The elements of a page's head that the site gives each page, and a page may replace. */
import { expect, test, vi } from 'vitest';
import { pageMeta } from '@gatehouse/server/remix/meta';
import { startSite } from '~/testing/whole-site';
import { site as config, titleOf } from '~/site.config';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));
vi.stubEnv('PLATFORM_INTERNAL_URL', 'http://127.0.0.1:9');

const page = { default: () => null, handle: { access: 'none' } };
const shared = {
  title: 'A kiln',
  description: 'Small, electric.',
  canonical: '/shared',
  image: '/api/pictures/kiln.jpg',
} as const;
const site = await startSite({
  plain: page,
  shared: { ...page, meta: () => pageMeta(shared) },
  hidden: { ...page, meta: () => pageMeta({ title: 'Hidden', noindex: true }) },
  members: { default: () => null, loader: () => null },
  'members-welcome': {
    default: () => null,
    meta: () => pageMeta({ title: 'Welcome', noindex: false }),
  },
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
    shared: Object.fromEntries(
      [...html.matchAll(/<meta (?:property="og:|name="twitter:)(\w+)" content="([^"]*)"/g)].map(
        ([, name = '', content = '']): [string, string] => [name, content],
      ),
    ),
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
    shared: {},
  });
});

test('a page’s own description and the like replace the site’s', async () => {
  expect(await headOf('/described')).toEqual({
    titles: ['Ours'],
    descriptions: ['Our own'],
    viewports: ['width=500'],
    robots: ['noindex'],
    canonical: ['https://site.example/described'],
    shared: {},
  });
});

test('pageMeta says it to search engines and to what shows links, with addresses of the site’s own origin', async () => {
  expect(await headOf('/shared?utm=1')).toEqual({
    titles: ['A kiln'],
    descriptions: ['Small, electric.'],
    viewports,
    robots: [],
    canonical: ['https://site.example/shared'],
    shared: {
      ...{ title: 'A kiln', description: 'Small, electric.' },
      url: 'https://site.example/shared',
      image: 'https://site.example/api/pictures/kiln.jpg',
      card: 'summary_large_image',
    },
  });
});

test.each([
  ['/plain', []],
  ['/hidden', ['noindex']],
  ['/members', ['noindex']],
  ['/account', ['noindex']],
  ['/members-welcome', ['all']],
])(
  'search engines leave out pages that need a visitor, unless they say otherwise: %s',
  async (path, robots) => {
    expect((await headOf(path)).robots).toEqual(robots);
  },
);
