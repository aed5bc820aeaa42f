/** The site's name, home page texts, menu, and the other origins that its pages may load from. */

export const site = {
  name: 'Gatehouse',
  headline: 'Pictures and clips from your words',
  description: 'Describe a picture or a clip, generate it, and download the result.',
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

/** The document title, such as `Account · Gatehouse`. */
export function titleOf(page?: string): string {
  return page === undefined ? site.name : `${page} · ${site.name}`;
}
