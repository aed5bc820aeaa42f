/** What the site is called, what its home page says, where its menu leads, and whom its pages may load from. */

/**
 * Whose accounts people sign in to: `platform`, the platform's, which all that uses its SDK needs; `in-app`, accounts of
 * the site's own; or `both`, side by side. `npm run init` removes what a mode has no use for.
 */
export const auth = 'both' as AuthMode;

export type AuthMode = 'platform' | 'in-app' | 'both';

export const hasPlatform = auth !== 'in-app'; // auth: platform
export const hasAccounts = auth !== 'platform'; // auth: accounts

/** What each kind of account is called. Whoever has two of them must know which is which (W29). */
export const accountNames =
  auth === 'both'
    ? ({ platform: 'Platform account', site: 'Site account' } as const)
    : ({ platform: 'Account', site: 'Account' } as const);

export const site = {
  name: 'Gatehouse',
  headline: 'Say it, and see it.',
  description:
    'Describe a picture in your own words, and have it drawn, kept and handed to you as a file.',
  menu: [
    { to: '/', label: 'Home' },
    { to: '/studio', label: 'Studio' }, // sample: studio
    { to: '/notes', label: 'Notes' }, // sample: notes
    { to: '/account', label: accountNames.platform }, // auth: platform
    { to: '/settings', label: accountNames.site }, // auth: accounts
  ],
  /**
   * Origins besides the site's own that its pages may use, by directive of the content security
   * policy, such as `'img-src': ['https://images.example']`.
   */
  contentSources: {} as Partial<Record<ContentDirective, readonly string[]>>,
} as const;

export type ContentDirective =
  'connect-src' | 'font-src' | 'frame-src' | 'img-src' | 'media-src' | 'script-src' | 'style-src';

/** What a browser's tab says: `Account · Gatehouse`. */
export function titleOf(page?: string): string {
  return page === undefined ? site.name : `${page} · ${site.name}`;
}
