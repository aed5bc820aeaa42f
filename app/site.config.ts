/** The site's name, home page texts, menu, and the other origins that its pages may load from. */

/**
 * Whose accounts people sign in to: `platform` (the platform's, required for everything that uses
 * its SDK), `in-app` (the site's own) or `both`. `npm run init` removes what a mode does not need.
 */
export const auth = 'both' as AuthMode;

export type AuthMode = 'platform' | 'in-app' | 'both';

export const hasPlatform = auth !== 'in-app'; // auth: platform
export const hasAccounts = auth !== 'platform'; // auth: accounts

/** The name of each kind of account. A site with both must tell them apart (W29). */
export const accountNames =
  auth === 'both'
    ? ({ platform: 'Platform account', site: 'Site account' } as const)
    : ({ platform: 'Account', site: 'Account' } as const);

export const site = {
  name: 'Gatehouse',
  headline: 'Pictures and clips from your words',
  description: 'Describe a picture or a clip, generate it, and download the result.',
  menu: [
    { to: '/', label: 'Home' },
    { to: '/studio', label: 'Studio' }, // sample: studio
    { to: '/notes', label: 'Notes' }, // sample: notes
  ],
  /** Where a sign-in to a site account leads, unless the visitor came from another page. */
  membersPage: '/', // auth: accounts
  /**
   * Origins other than the site's own that its pages may use, by directive of the content security
   * policy, for example `'img-src': ['https://images.example']`.
   */
  contentSources: {} as Partial<Record<ContentDirective, readonly string[]>>,
} as const;

export type ContentDirective =
  'connect-src' | 'font-src' | 'frame-src' | 'img-src' | 'media-src' | 'script-src' | 'style-src';

/** The document title, such as `Account · Gatehouse`. */
export function titleOf(page?: string): string {
  return page === undefined ? site.name : `${page} · ${site.name}`;
}
