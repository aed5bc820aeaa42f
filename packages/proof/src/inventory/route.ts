/** What the proof knows about a site's routes, whether read from a build or from a list. */

export interface Route {
  /** The framework's id. Two routes may share a path: a layout and its index route. */
  id: string;
  /** The full path pattern, such as `/prints/:id` or `/files/*`. */
  path: string;
  /** Relative to the repository, for the findings. */
  file: string;
  kind: 'page' | 'resource';
  /** It has child routes, and no address of its own. */
  isLayout: boolean;
  loader: Handler | null;
  action: Handler | null;
  /** `handle.access`, or its default: `account` in a site whose auth mode is `in-app`, otherwise `platform`. */
  access: 'platform' | 'account' | 'both' | 'none' | 'machine';
  /** `handle.role`: an account without it is refused. */
  role?: string | undefined;
  /** Whether its `handle` has `cache`: caches may keep its responses, which are the same for everybody. */
  isPublic: boolean;
  /** Whether its `handle` has `shows: 'published'`: it shows rows that members publish. */
  showsPublished: boolean;
}

export interface Handler {
  /** Whether its code reaches the SDK, by `createPlatformSdk` or `requirePlatformSdk`. Null if the code was not found in the build. */
  reachesSdk: boolean | null;
}

export interface Inventory {
  routes: Route[];
  /**
   * The address of the home page's data, if pages have `.data` URLs, where each loader can be requested alone. Remix and React
   * Router spell it differently.
   */
  homeData: '/_root.data' | '/_.data' | null;
  /** Absolute paths of folders with files that browsers can load. */
  clientFolders: string[];
}
