/** What a page's head says of it to search engines and to what shows links to it. Runs in the browser too. */
import { cloneElement, createContext, useContext, type ReactElement } from 'react';
import type { RouteHandle } from '../route.ts';

export interface PageMeta {
  /** The document's title. */
  title: string;
  description?: string;
  /** The one address of what is also found at others: a path of this site, with its query if that belongs to it. */
  canonical?: `/${string}`;
  /** The picture of a link to the page: a path of this site whose route is `embeddable`, or a URL. */
  image?: string;
  /** Whether search engines leave the page out. Default: those that need a signed-in visitor. */
  noindex?: boolean;
}

/** As frameworks take it from a route's `meta`. */
type MetaElement =
  | { title: string }
  | { name: string; content: string }
  | { property: string; content: string }
  | { tagName: 'link'; rel: string; href: string };

/** For a route's `meta`: takes the place of what the site says of all its pages. */
export function pageMeta({
  title,
  description,
  canonical,
  image,
  noindex,
}: PageMeta): MetaElement[] {
  const shared = { 'og:title': title, 'og:description': description };
  const addresses = { 'og:url': canonical, 'og:image': image };
  return [
    { title },
    ...(description === undefined ? [] : [{ name: 'description', content: description }]),
    ...(canonical === undefined
      ? []
      : [{ tagName: 'link', rel: 'canonical', href: canonical } as const]),
    ...Object.entries({ ...shared, ...addresses }).flatMap(([property, content]) =>
      content === undefined ? [] : [{ property, content }],
    ),
    ...(image === undefined ? [] : [{ name: 'twitter:card', content: 'summary_large_image' }]),
    ...(noindex === undefined ? [] : [{ name: 'robots', content: noindex ? 'noindex' : 'all' }]),
  ];
}

/** The site's origin, while its server renders a page. A browser knows it. */
export const SiteOrigin = createContext<string | null>(null);

type HeadElement = ReactElement<Record<string, string>>;

export interface DocumentMetaProps {
  /** The title of a page that gives none. */
  title: string;
  /** `<meta>` by name, for pages that give none of that name. */
  defaults: Readonly<Record<string, string>>;
}

/** What the framework knows of the page's routes. */
interface PageRoutes {
  Meta: () => ReactElement;
  useMatches: () => { handle: unknown }[];
}

/** For the document's head: what the page's `meta` gives, and the site's own where it gives none. */
export function useDocumentMeta(
  { Meta, useMatches }: PageRoutes,
  { title, defaults }: DocumentMetaProps,
): ReactElement[] {
  const origin = useContext(SiteOrigin) ?? window.location.origin;
  const { access } = (useMatches().at(-1)?.handle ?? {}) as RouteHandle;
  // Called rather than rendered, because only the framework knows which route's `meta` applies.
  const given = (Meta() as ReactElement<{ children: (HeadElement | null)[] }>).props.children;
  const all = new Map<string, HeadElement>([
    ['title', <title key="title">{title}</title>],
    ...Object.entries({ ...defaults, ...(access !== 'none' && { robots: 'noindex' }) }).map(
      ([name, content]): [string, HeadElement] => [
        `meta ${name}`,
        <meta key={name} name={name} content={content} />,
      ],
    ),
  ]);
  for (const element of given) {
    if (element) all.set(identityOf(element), absolute(element, origin));
  }
  return [...all.values()];
}

/** What a head has once. */
function identityOf({ type, props, key }: HeadElement): string {
  if (type === 'title') return 'title';
  const isOnce = type === 'meta' || props['rel'] === 'canonical';
  const name = props['name'] ?? (isOnce ? props['rel'] : undefined);
  return isOnce && name !== undefined ? `${String(type)} ${name}` : String(key);
}

/** Addresses in it are complete, as search engines ask. */
function absolute(element: HeadElement, origin: string): HeadElement {
  const { rel, property = '' } = element.props;
  const name = rel === 'canonical' ? 'href' : /^og:(url|image)$/.test(property) ? 'content' : null;
  if (name === null) return element;
  return cloneElement(element, { [name]: new URL(element.props[name] ?? '', origin).href });
}
