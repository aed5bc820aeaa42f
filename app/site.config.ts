/** The menu, and the other origins that pages may load from. The site's name and its home page's words are in `site.json`. */
import words from './site.json';

export const site = {
  ...words,
  /** The features' pages follow. */
  menu: [{ to: '/', label: 'Home' }],
  /**
   * Origins other than the site's own that its pages may use, by directive of the content security
   * policy, for example `'img-src': ['https://images.example']`.
   */
  contentSources: {} as Partial<Record<ContentDirective, readonly string[]>>,
} as const;

export type ContentDirective =
  'connect-src' | 'font-src' | 'frame-src' | 'img-src' | 'media-src' | 'script-src' | 'style-src';

/** The document title, such as `Account · Framewise`. */
export function titleOf(page?: string): string {
  return page === undefined ? site.name : `${page} · ${site.name}`;
}
