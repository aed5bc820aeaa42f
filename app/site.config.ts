/** What the site is called, what its home page says, where its menu leads, and whom its pages may load from. */

export const site = {
  name: 'Gatehouse',
  headline: 'Say it, and see it.',
  description:
    'Describe a picture in your own words, and have it drawn, kept and handed to you as a file.',
  menu: [
    { to: '/', label: 'Home' },
    { to: '/studio', label: 'Studio' }, // sample: studio
    { to: '/account', label: 'Account' },
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
