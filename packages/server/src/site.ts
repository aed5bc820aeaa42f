/** What the server needs to know about the site. */
import type { Visitor } from './connections/visitor.ts';
import type { Framework } from './framework.ts';
import type { RequestContext } from './requests/request-context.ts';

export interface Site {
  /** `remix` of `@gatehouse/server/remix`. */
  framework: Framework;
  /**
   * Called once at startup, and in development again after an edit. An error named `SettingError` exits the
   * program with only its message.
   */
  settings: () => ServerSettings;
  /** What `--check-settings` prints instead of starting the server. */
  settingsReport?: () => string;
  /** Whether a path is a resource's, which is used as a file or data and never rendered as a page. */
  isResource: (pathname: string) => boolean;
  /** Whether the guard ran in this request. Its response must not be cached then. */
  hasCheckedIdentity: (context: RequestContext) => boolean;
  /** An address that is answered without the framework. */
  relay?: Relay;
  /**
   * The response for an error that a loader or action threw, if it has its own, such as a 503 for an
   * unavailable database. Any other error is a 500.
   */
  responseFor?: (error: unknown, context: RequestContext) => Response | undefined;
  /** Whether an error that ended a request has already been logged. */
  isLogged?: (error: unknown) => boolean;
  /**
   * Called once and awaited before the server listens. An error named `StartError` exits the program with
   * only its message.
   */
  onStart?: () => unknown;
  /** Called once and awaited after the last response. */
  onStop?: () => unknown;
}

export interface ServerSettings {
  mode: 'development' | 'production' | 'test';
  port: number;
  host: string;
  /** The site's origin as visitors' browsers see it. */
  siteOrigin: string;
  /** CSP sources that may frame the site. */
  frameAncestors: readonly string[];
  logLevel: string;
  /** Maximum concurrent connections. Further ones are closed immediately. */
  maxConnections: number;
  /** Seconds between SIGTERM and closing the listening socket, in which load balancers see `/readyz` fail. */
  shutdownDelay: number;
  /** How many trusted proxies append to `x-forwarded-for`. Default 0: the header is not trusted. */
  trustedProxies?: number;
  /** Origins other than the site's own that pages may use, by directive of the content security policy. */
  contentSources?: Readonly<Record<string, readonly string[]>>;
  /** Texts to redact from logged errors, such as an internal host, and their replacements. */
  hiddenInLog?: Readonly<Record<string, string>>;
}

/**
 * An address that the listener itself answers, for `GET` and `HEAD` in every spelling of the path: several
 * times faster than a framework, and able to relay a redirect, which a framework would treat as its own. A route with the
 * same path handles the other methods.
 */
export interface Relay {
  /** In lower case. Its expected statuses, 200 and 401, are logged only at `debug`. */
  path: string;
  respond: (visitor: Visitor, requestId: string) => Promise<RelayedResponse>;
}

export interface RelayedResponse {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** Null for a status without a body. */
  body: Buffer | null;
}
