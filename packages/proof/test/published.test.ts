/**
 * What members publish: a gallery, and rows between two members, have no finding. Negative controls: a draft that shows, a
 * published row on a private page, a withdrawn one that still shows.
 */
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import type { PublishedRows, SiteDefinition } from '@gatehouse/simulator';
import { printShop } from '@gatehouse/simulator/test/print-shop';
import { readListedRoutes } from '../src/inventory/listed-routes.ts';
import { prove } from '../src/prove.ts';
import { excusedIn, type Gathered } from '../src/stage/report.ts';
import { accounts } from './form-accounts.ts';

const published: PublishedRows[] = [
  { table: 'listing', columns: ['title'], where: "state = 'published'" },
  {
    table: 'account',
    columns: ['name'],
    where: "id in (select account_id from listing where state = 'published')",
  },
  { table: 'loan', columns: ['message'], members: ['lender_id', 'borrower_id'] },
  {
    table: 'listing',
    columns: ['title'],
    members: ['select borrower_id from loan where listing_id = listing.id'],
  },
];

const prepared: string[] = [];

type Definition = Partial<SiteDefinition<ReturnType<typeof printShop.createState>>>;

const definition: Definition = {
  published,
  async prepare({ account, visitor, words, request }) {
    prepared.push(account?.email ?? 'nobody');
    for (const state of ['published', 'published', 'draft'])
      await request('/mine', { title: words, state, act: 'add' });
    const { text } = await visitor.get('/mine');
    prepared.push(`${text.match(/<li>/g)?.length ?? 0} listings`);
    return [];
  },
  requests: () => [{ method: 'POST', path: '/scripted', json: { listing: '/gallery/:id' } }],
};

async function proveSite(changes: Definition, paths?: string[]): Promise<Gathered> {
  const list = fileURLToPath(new URL('published-site.json', import.meta.url));
  const { inventory, start } = await readListedRoutes(list);
  const routes = inventory.routes.filter(({ path }) => paths?.includes(path) ?? true);
  return prove({
    definition: { platform: printShop, auth: 'in-app', accounts, ...definition, ...changes },
    inventory: { ...inventory, routes },
    start: { entry: start?.[0] ?? '' },
    crowdSize: 40,
    storeRespondsWithin: 6_000,
  });
}

let proof: Gathered;

beforeAll(async () => {
  proof = await proveSite({});
}, 300_000);

const codesOf = (route: string) =>
  [
    ...new Set(proof.findings.filter((finding) => finding.route === route).map(({ code }) => code)),
  ].sort();

test.each([
  ...['/', '/sign-up', '/sign-in', '/mine', '/gallery', '/gallery/:id', '/members', '/ask'],
  ...['/loans', '/loans/:id', '/scripted', '*'],
])('%s has no findings', (route) => {
  expect(proof.findings.filter((finding) => finding.route === route)).toEqual([]);
});

test.each<[string, string[]]>([
  ['/shows-drafts', ['other-people/not-published']],
  ['/shows-notes', ['other-people/not-published']],
  ['/still-shown', ['other-people/not-published']],
  ['/shows-address', ['other-people/not-published']],
  ['/private-shelf', ['other-people/published-elsewhere']],
  ['/all-loans', ['other-people/somebody-else']],
  ['/any-listing/:id', ['other-people/row-shown']],
  ['/any-title/:id', ['other-people/not-published']],
])('%s is reported as %j [W19]', (route, codes) => {
  expect(codesOf(route)).toEqual(codes);
});

test('what was excused is printed, with the routes that showed it', () => {
  expect(excusedIn(proof)).toEqual([
    expect.stringMatching(
      /^listing: \d+ values of \d+ rows, on .*\/gallery, \/gallery\/:id, .*\/loans.*\/members/,
    ),
    expect.stringMatching(/^account: 2 values of 2 rows, on \/gallery/),
    expect.stringMatching(/^loan: \d+ values? of \d+ rows?, on .*\/loans/),
  ]);
});

test('a request names an id that the crawl found, and every route is observed', () => {
  const unobserved = proof.outcomes.flatMap(({ route, results }) =>
    results['other-people'].is === 'not-observed' ? [route] : [],
  );
  expect(unobserved).toEqual([]);
});

test('each person prepares rows by the forms of the site, before the crawl', () => {
  expect(prepared.slice(0, 4).sort()).toEqual([
    '3 listings',
    '3 listings',
    expect.stringContaining('@example.com'),
    expect.stringContaining('@example.com'),
  ]);
});

test.each<[string, PublishedRows, string]>([
  [
    'table',
    { table: 'list', columns: ['title'], where: '1' },
    'entry 1 (list): no such table: list',
  ],
  ['column', { table: 'listing', columns: ['titel'], where: '1' }, 'no such column: '],
  [
    'condition',
    { table: 'listing', columns: ['title'], where: 'public' },
    'no such column: public',
  ],
])(
  'an entry with an unknown %s ends the proof with one sentence',
  async (_, entry, sentence) => {
    const proving = proveSite({ published: [entry] }, ['/', '/sign-up', '/sign-in']);
    await expect(proving).rejects.toThrow(sentence);
  },
  60_000,
);

test('a form that the site refuses, or that is not there, ends the proof with one sentence', async () => {
  const prepare: NonNullable<Definition['prepare']> = async ({ request }) => {
    await request('/mine', { colour: 'red' });
    return [];
  };
  await expect(proveSite({ prepare })).rejects.toThrow(
    '/mine (200) has no form with colour for `prepare` in e2e/site.ts.',
  );
}, 60_000);
