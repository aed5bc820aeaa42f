/** What the shell takes from the site's features, whichever there are. */
import { useMatches } from '@remix-run/react';
import { createContext, useContext, useState, type ComponentType, type ReactNode } from 'react';
import type { RouteHandle } from '~/route-handle';
import { site } from '~/site.config';
import type { ErrorWords } from './errors/error-page';

type Characters<Text> = Text extends `${infer First}${infer Rest}`
  ? First | Characters<Rest>
  : never;
type Letter = Characters<'abcdefghijklmnopqrstuvwxyz'>;

interface MenuItem {
  /** A path of this site: the letter excludes `//other.example`. */
  to: '/' | `/${Letter}${string}`;
  label: string;
}

export interface GuardedPageProps<Loaded> {
  loaded: Loaded | undefined;
  /** The page's own. */
  handle: RouteHandle;
  children: ReactNode;
}

export interface Feature<Loaded> {
  /** Features are in ascending order, in menus and as providers from the outside in. */
  order: number;
  /** Pages in the menu. */
  menu?: readonly MenuItem[];
  identity?: {
    /** Shown on a site with two kinds of accounts (W29). */
    name: string;
    /** Who is signed in, and sign-in or sign-out. With a label, where there are two. */
    Menu: ComponentType<{ loaded: Loaded | undefined; label: string | undefined }>;
    /** What the open page adds, such as a workspace switcher. */
    Tools?: ComponentType;
  };
  /** Wraps the shell of every page. */
  Provider?: ComponentType<{ loaded: Loaded | undefined; children: ReactNode }>;
  /** Wraps the page inside the shell: shows something else while the page's visitor is gone. */
  Page?: ComponentType<GuardedPageProps<Loaded>>;
  /** Rendered above the header. */
  Notice?: ComponentType<{ loaded: Loaded | undefined }>;
  /** The button of the error page for pages that require signing in. */
  SignIn?: ComponentType;
  /** The error page's words, by status. */
  errors?: Readonly<Record<number, ErrorWords>>;
  /** What the connection notice says of a status that the site sent. */
  outages?: Readonly<Record<number, string>>;
  /** Leaves the site for an address that is not its own page, and returns whether it did. */
  leaveFor?: (address: URL) => boolean;
  /** Whatever stands in front of the site, such as a platform. */
  front?: string;
}

/** The registry, and what the root's loader has for each feature; undefined if that has failed. */
export interface FeaturesProps {
  features: Readonly<Record<string, Feature<never>>>;
  loaded: object | undefined;
  children: ReactNode;
}

interface Loaded {
  name: string;
  feature: Feature<never>;
  /** What the feature's server part has loaded. */
  loaded: never;
}

const Features = createContext<ReadonlyMap<string, Loaded>>(new Map());

export function FeaturesProvider({ features, loaded, children }: FeaturesProps) {
  const all = Object.entries(features)
    .sort(([, a], [, b]) => a.order - b.order)
    .map(([name, feature]): [string, Loaded] => [
      name,
      {
        name,
        feature,
        loaded: (loaded as Readonly<Record<string, never>> | undefined)?.[name] as never,
      },
    ]);
  const page = all.reduceRight<ReactNode>(
    (inner, [name, { feature, loaded: own }]) =>
      feature.Provider ? (
        <feature.Provider key={name} loaded={own}>
          {inner}
        </feature.Provider>
      ) : (
        inner
      ),
    children,
  );
  return <Features.Provider value={new Map(all)}>{page}</Features.Provider>;
}

/** The open page, or what a feature shows in its place. */
export function GuardedPage({ children }: { children: ReactNode }) {
  const features = useFeatures();
  const handle = (useMatches().at(-1)?.handle ?? {}) as RouteHandle;
  return features.reduceRight<ReactNode>(
    (page, { name, feature: { Page }, loaded }) =>
      Page ? (
        <Page key={name} loaded={loaded} handle={handle}>
          {page}
        </Page>
      ) : (
        page
      ),
    children,
  );
}

/**
 * Whose page is open: during an outage nobody is known, and it is still theirs. As the `key` of the
 * page, so that it is mounted anew for another person, and nothing that was typed or seen stays.
 *
 * @param person null if unknown or signed out.
 */
export function useOwner(person: string | null): string | null {
  const [owner, setOwner] = useState(person);
  if (person !== null && person !== owner) setOwner(person);
  return person ?? owner;
}

/** The site's features in their order. */
export function useFeatures(): Loaded[] {
  return [...useContext(Features).values()];
}

/** The pages of the menu: the site's own, then its features'. */
export function useMenu(): readonly MenuItem[] {
  return [...site.menu, ...useFeatures().flatMap(({ feature }) => feature.menu ?? [])];
}

/** What a feature's server part has loaded for every page. */
export function useLoaded(name: string): unknown {
  return useContext(Features).get(name)?.loaded;
}

/** The names of the other kinds of accounts that a visitor can have here, which must be told apart (W29). */
export function useOtherIdentities(own: string): string[] {
  return useFeatures()
    .flatMap(({ feature }) => feature.identity?.name ?? [])
    .filter((name) => name !== own);
}

/** What a feature adds to the home page. */
export interface HomePart {
  /** Parts are in ascending order. */
  order: number;
  /** A card that says how the site works. */
  point: { title: string; text: string };
  /** Who the visitor is, and how to sign in. */
  Welcome: ComponentType;
}
