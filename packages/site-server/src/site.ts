/** What the server must be told of the site that it serves. */
import type { Visitor } from './connections/visitor';
import type { RequestContext } from './requests/request-context';

export interface Site {
  /**
   * Called once at the start, and in development again after an edit. An error named `SettingError` ends the
   * program with its message alone.
   */
  settings: () => ServerSettings;
  /** Whether a path is that of a resource, which is used as a file or as data and never shown as a page. */
  isResource: (pathname: string) => boolean;
  /** Whether anything asked in this request who the visitor is. No cache may keep the answer then. */
  hasAskedIdentity: (context: RequestContext) => boolean;
  /** One address that is answered without Remix. */
  relay?: Relay;
  /**
   * The answer for an error that a loader or an action threw, where it has one of its own, such as a 503 for a
   * database that is away. Any other error is a 500.
   */
  answerFor?: (error: unknown, context: RequestContext) => Response | undefined;
  /** Whether an error that ended a request has a line in the log already. */
  isLogged?: (error: unknown) => boolean;
  /**
   * Called once and waited for, before the server listens. An error named `StartError` ends the program with its
   * message alone.
   */
  onStart?: () => Promise<void> | void;
  /** Called once and waited for, after the last answer. */
  onStop?: () => Promise<void> | void;
}

export interface ServerSettings {
  mode: 'development' | 'production' | 'test';
  port: number;
  host: string;
  /** The origin that a visitor's browser knows the site by. */
  siteOrigin: string;
  /** CSP sources that may frame the site. */
  frameAncestors: readonly string[];
  logLevel: string;
  /** Connections that are open at once. More are closed as they come. */
  maxConnections: number;
  /** Seconds from SIGTERM until the listening socket closes, for load balancers to see `/readyz` and move on. */
  shutdownDelay: number;
  /** How many proxies in front of the server add to `x-forwarded-for`. Default 0: the header is anybody's. */
  trustedProxies?: number;
  /** Origins besides the site's own that pages may use, by directive of the content security policy. */
  contentSources?: Readonly<Record<string, readonly string[]>>;
  /** Texts that no logged error may show, such as an internal host, each with what stands in its place. */
  hiddenInLog?: Readonly<Record<string, string>>;
}

/**
 * Answered by the listener itself, `GET` and `HEAD` in every spelling of the path: it is several times faster than
 * Remix, and can carry a redirect, which Remix takes for its own. A route of the same path has the other methods.
 */
export interface Relay {
  /** In lower case. Its usual answers, 200 and 401, are logged at `debug` alone. */
  path: string;
  answer: (visitor: Visitor, requestId: string) => Promise<RelayedAnswer>;
}

export interface RelayedAnswer {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** Null for a status that has no body. */
  body: Uint8Array | null;
}
