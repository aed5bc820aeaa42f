/** What a site's features say about it, joined. */
import { expect, it } from 'vitest';
import { printShop } from '../test/print-shop.ts';
import type { CrawlParts, PrepareParts, SiteAccounts, SiteDefinition } from './definition.ts';
import { resourcesOf } from './resources.ts';
import { defineSite, type SiteFeature } from './site-features.ts';

type Parts = CrawlParts<{ prints: string[] }>;

const accounts: SiteAccounts = {
  signUp: () => Promise.resolve(),
  signIn: () => Promise.resolve(),
};
const shop = {
  auth: 'platform',
  resources: { prints: { createState: (): string[] => [], operations: [] } },
  prepare: ({ state }: Parts) => [`/prints/${state.prints.push('a print')}`],
  requests: () => [{ method: 'POST', path: '/prints' }],
  settings: { WARES: '7', SHELVES: '3' },
} satisfies SiteFeature;
const members = {
  auth: 'in-app',
  accounts,
  addresses: ['/members'],
  prepare: () => Promise.resolve(['/members/7']),
  published: [{ table: 'member', columns: ['name'], where: 'is_listed' }],
} satisfies SiteFeature;
const platform = { ...printShop, createState: () => ({ prints: [] as string[] }) } as never;

it('joins what features say with what the site says, which goes last', async () => {
  const site: SiteDefinition<{ prints: string[] }> = defineSite({
    platform,
    features: { shop, members },
    addresses: ['/hidden'],
    requests: () => [{ method: 'POST', path: '/hook' }],
    settings: { WARES: '9' },
  });
  const parts = { state: { prints: [] }, person: 'ada', profile: null } as unknown as PrepareParts<{
    prints: string[];
  }>;
  expect(site).toMatchObject({
    platform,
    auth: 'both',
    accounts,
    addresses: ['/members', '/hidden'],
    published: members.published,
    settings: { WARES: '9', SHELVES: '3' },
  });
  expect(await site.prepare?.(parts)).toEqual(['/prints/1', '/members/7']);
  expect(site.requests?.(parts)).toMatchObject([{ path: '/prints' }, { path: '/hook' }]);
  expect(resourcesOf({ shop, members })).toEqual(shop.resources);
});

it.each([
  ['in-app', { members }],
  ['platform', { shop }],
  [undefined, {}],
] as [string | undefined, Record<string, SiteFeature>][])(
  'the accounts are %s by the features that there are',
  (auth, features) => {
    expect(defineSite({ platform, features }).auth).toBe(auth);
  },
);

it('refuses a setting that the site does not declare', () => {
  const declaredSettings = { site: { wares: { name: 'WARES' } } } as const;
  expect(defineSite({ platform, declaredSettings, settings: { WARES: '7' } }).settings).toEqual({
    WARES: '7',
  });
  expect(() =>
    // @ts-expect-error -- The compiler refuses it, too.
    defineSite({ platform, declaredSettings, settings: { WARE: '7' } }),
  ).toThrow(/^No setting of the site is named WARE\.$/);
  expect(() => defineSite({ platform, declaredSettings, features: { shop } })).toThrow(
    /^No setting of the site is named SHELVES\.$/,
  );
});
