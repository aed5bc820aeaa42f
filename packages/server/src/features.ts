/** Features: the parts of a site that its server and its root route do not know, joined in registries. */
import { log } from './log.ts';
import type { RequestContext } from './requests/request-context.ts';
import { resourcePaths } from './requests/resource-paths.ts';
import type { Site } from './site.ts';

interface LoaderArgs {
  request: Request;
  context: RequestContext;
}

/** What a feature gives to the server. Each part is optional, and means what it does in {@link Site}. */
export interface SiteFeature<Loaded = unknown> extends Partial<
  Pick<Site, 'hasCheckedIdentity' | 'responseFor' | 'relay' | 'isLogged' | 'onStart' | 'onStop'>
> {
  /** Features start in ascending order, and stop in descending order. */
  order: number;
  /** Texts to redact from logged errors, such as an internal host, and their replacements. */
  hiddenInLog?: () => Readonly<Record<string, string>>;
  /**
   * What its part of each page needs. With `context.isPublic`, the page is for everybody: nothing may be asked about its visitor.
   *
   * @param isLeaving whether another feature sends the visitor elsewhere, so that nobody sees the page.
   */
  load?: (args: LoaderArgs, isLeaving: () => Promise<boolean>) => Promise<Loaded>;
  /** Whether the visitor is sent elsewhere, such as to a sign-in, and will not see the page. */
  isLeaving?: (args: LoaderArgs) => Promise<boolean>;
  /** The value of a `set-cookie` header. */
  setCookie?: (args: LoaderArgs) => Promise<string | null>;
}

/** A registry: the exports of `app/features.server.ts`. */
type Features = Readonly<Record<string, SiteFeature>>;

/** What the root's loader gives to pages: each feature's part, by its name. */
export type LoadedBy<Registry> = {
  [Name in keyof Registry]: Registry[Name] extends {
    load: (...given: never[]) => Promise<infer Loaded>;
  }
    ? Loaded
    : undefined;
};

/** For the loader of the root route. */
export async function loadFeatures<Registry extends Features>(
  features: Registry,
  args: LoaderArgs,
): Promise<{ loaded: LoadedBy<Registry>; headers: Headers }> {
  const all = Object.entries<SiteFeature>(features);
  const forVisitor = args.context.isPublic ? [] : all.map(([, feature]) => feature);
  const isLeaving = async () => {
    for (const feature of forVisitor) if (await feature.isLeaving?.(args)) return true;
    return false;
  };
  const loaded = await Promise.all(
    all.map(async ([name, feature]) => [name, await feature.load?.(args, isLeaving)] as const),
  );
  const headers = new Headers();
  for (const feature of forVisitor) {
    const cookie = await feature.setCookie?.(args);
    if (cookie) headers.append('set-cookie', cookie);
  }
  return { loaded: Object.fromEntries(loaded) as LoadedBy<Registry>, headers };
}

interface SiteParts extends Omit<Site, keyof SiteFeature | 'isResource'> {
  features: Features;
  /** `site` of app/site.config.ts. Its `resources` are paths of resource routes outside `/api/`, such as `/feed.xml` or `/webhooks/*`. */
  config: { name: string; resources?: readonly string[] };
}

/** The site that its features make together. */
export function createSite({ features, settings, config, ...parts }: SiteParts): Site {
  // A module's exports are in alphabetical order in a build, and as written in development.
  const all = Object.values(features).sort((a, b) => a.order - b.order);
  const [relay, another] = all.flatMap((feature) => feature.relay ?? []);
  if (another) throw new Error('Two features of this site have a relay; a site has one.');
  let isResource: Site['isResource'] | undefined;
  const resources = () => (isResource ??= resourcePaths(config.resources));
  return {
    ...parts,
    ...(relay && { relay }),
    isResource: (pathname) => resources()(pathname),
    settings() {
      // Here, where what it throws is printed as one sentence.
      resources();
      const hidden = all.map((feature) => feature.hiddenInLog?.());
      return { ...settings(), hiddenInLog: Object.assign({}, ...hidden) as Record<string, string> };
    },
    hasCheckedIdentity: (context) => all.some((feature) => feature.hasCheckedIdentity?.(context)),
    responseFor(error, context) {
      for (const feature of all) {
        const response = feature.responseFor?.(error, context);
        if (response) return response;
      }
      return undefined;
    },
    isLogged: (error) => all.some((feature) => feature.isLogged?.(error)),
    async onStart() {
      for (const feature of all) await feature.onStart?.();
    },
    async onStop() {
      for (const feature of all.toReversed()) await stop(feature);
    },
  };
}

/** Milliseconds for one feature to stop. */
const stopTime = 15_000;

/** A feature that fails to stop, or does not end, is logged: the others must still stop. */
async function stop({ onStop }: SiteFeature): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`it takes longer than ${stopTime / 1_000} s`));
    }, stopTime);
  });
  await Promise.race([Promise.resolve().then(onStop), late])
    .catch((error: unknown) => {
      log.error({ err: error }, 'a feature did not stop');
    })
    .finally(() => {
      clearTimeout(timer);
    });
}
