/** What the proof knows of a site's routes, whoever told it. */

export interface Route {
  /** As the framework calls it. Two routes may share a path: a layout and its index. */
  id: string;
  /** From the root, such as `/prints/:id`. A `:parameter` or a star stands for many addresses. */
  path: string;
  /** Relative to the repository, for who reads a finding. */
  file: string;
  kind: 'page' | 'resource';
  /** It has routes below it, and no address of its own. */
  isLayout: boolean;
  loader: Handler | null;
  action: Handler | null;
  /** As its `handle` says; `platform` is the default. */
  access: 'platform' | 'account' | 'none' | 'machine';
  /** Whether it says that everybody may keep its answers. */
  isPublic: boolean;
}

export interface Handler {
  /** Whether its code reaches `createPlatformSdk`. Null where the code could not be read. */
  reachesSdk: boolean | null;
}

export interface Inventory {
  routes: Route[];
  /** Whether pages have Remix's data addresses, and each loader can be asked alone. */
  hasDataRequests: boolean;
  /** Folders whose files a browser can load, absolute. */
  clientFolders: string[];
}
