/** What the code of a page asks of the framework that loads the page's data and submits its forms. */
export interface PageFramework {
  /** A hook. */
  useRouter: () => PageRouter;
  /**
   * What a request of the framework's own is for; null for any other request. Its query, which the framework has encoded
   * anew, becomes the one that the visitor sees: it may be in a return path.
   */
  dataRequestOf: (address: URL) => DataRequest | null;
  /** Whether a route responded, rather than the listener or something in front of the site. */
  isFromRoute: (response: Response) => boolean;
  /** The response of an action without data. */
  noData: (status: number) => Response;
  /** What to throw so that the framework shows the error page for a status. */
  routeError: (status: number) => unknown;
  /** The scripts and styles of all pages. */
  pageFiles: () => string[];
}

export interface PageRouter {
  /** Whether nothing is loading. */
  idle: boolean;
  /** Changes with every load. */
  loaded: unknown;
  /** Runs the open page's loaders again. */
  revalidate: () => void;
}

export interface DataRequest {
  page: URL;
  /** Whether the page is being navigated to, and will show its own error. */
  isForNextPage: () => boolean;
}
