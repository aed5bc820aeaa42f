/**
 * Responses that caches may keep (`handle.cache`): made for everybody alike, with a tag by which a client says which one it
 * has. There is no cache of the server's own: browsers and the caches in front of it do that.
 */
import { createHash } from 'node:crypto';
import type { RouteCache, RouteHandle } from '../route.ts';
import type { ServerSettings } from '../site.ts';
import { isKnown } from './entity-tags.ts';
import { headersFor } from './headers.ts';

export interface Published {
  headers: Record<string, string>;
  /** Whether the client has it: it gets a 304. */
  isKnown: boolean;
  /** The page as it is sent. */
  page: Buffer | undefined;
}

interface PublicationOptions {
  kind: 'page' | 'resource';
  cache: RouteCache;
  embeddable: RouteHandle['embeddable'];
  env: ServerSettings;
  /** The request's `if-none-match`. */
  known: string | undefined;
}

/** A response while it is made. */
export class Publication {
  readonly #options: PublicationOptions;
  #tag: string | null = null;
  #isWithheld = false;

  constructor(options: PublicationOptions) {
    this.#options = options;
  }

  /**
   * Names what the page will contain, so that it is not rendered for a client that has it.
   *
   * @returns whether the client has that version.
   */
  isKnown(version: string): boolean {
    this.#tag = this.#tagOf(version);
    return isKnown(this.#options.known, this.#tag);
  }

  /** No cache may keep the response: part of the page could not be rendered. */
  withhold(): void {
    this.#isWithheld = true;
  }

  /**
   * What is sent instead of a response that is only the visitor's; null if no cache may keep it: an error, a redirect, a
   * cookie, or what the route itself restricts.
   */
  of({ status, headers }: Response, page: Buffer | undefined, nonce: string): Published | null {
    const { kind, cache, embeddable, env, known } = this.#options;
    const isRendered = status === 200 && page !== undefined;
    const isKept =
      kind === 'page'
        ? isRendered || (status === 304 && this.#tag !== null)
        : status === 200 || status === 206;
    if (!isKept || this.#isWithheld || headers.has('set-cookie') || isRestricted(headers))
      return null;
    const caching = { 'cache-control': cachingOf(cache) };
    if (!page) {
      const tag = this.#tag ?? quoted(headers.get('etag'));
      const table = headersFor({ kind: 'resource', env, embeddable });
      return {
        headers: { ...table, ...caching, ...(tag !== null && { etag: tag }) },
        isKnown: tag !== null && isKnown(known, tag),
        page,
      };
    }
    const { text, scriptHashes } = withoutNonce(page, nonce);
    const etag = this.#tag ?? this.#tagOf(text);
    return {
      headers: { ...headersFor({ kind: 'page', env, scriptHashes }), ...caching, etag },
      isKnown: isKnown(known, etag),
      page: Buffer.from(text),
    };
  }

  /** Covers the settings in the page's headers too. Weak, because compressed bytes share it. */
  #tagOf(content: string): string {
    const policy = headersFor({ kind: 'page', env: this.#options.env })['content-security-policy'];
    return `W/"${digestOf(`${policy}\n${content}`, 'base64url')}"`;
  }
}

/** Whether the route itself says that caches must not share the response. */
export function isRestricted(headers: Headers): boolean {
  return /(^|,)\s*(private|no-store)\s*(,|$)/i.test(headers.get('cache-control') ?? '');
}

/**
 * A request without what tells one visitor from another: what is made of anything else would be given to everybody. Caches
 * treat a part of a file as such.
 */
export function withoutVisitor({ url, method, signal, headers }: Request): Request {
  const kept = ['host', 'range', 'if-range'].flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return new Request(url, { method, signal, headers: kept });
}

function cachingOf({ maxAge, staleWhileRevalidate: stale }: RouteCache): string {
  const lifetime = `public, max-age=${maxAge}`;
  return stale === undefined ? lifetime : `${lifetime}, stale-while-revalidate=${stale}`;
}

/** A route may name a version as plain text. */
function quoted(tag: string | null): string | null {
  return tag === null || tag.endsWith('"') ? tag : `W/"${tag}"`;
}

/**
 * The same page for everybody, whose policy names its scripts by their digests. A script without the nonce is not the
 * page's own, and stays blocked.
 */
function withoutNonce(page: Buffer, nonce: string): { text: string; scriptHashes: string[] } {
  const html = page.toString();
  const own = new RegExp(`<script\\b[^>]* nonce="${nonce}"[^>]*>(.+?)</script>`, 'gs');
  const scripts = new Set([...html.matchAll(own)].map(([, script = '']) => script));
  return {
    text: html.replaceAll(` nonce="${nonce}"`, ''),
    scriptHashes: [...scripts].map((script) => `sha256-${digestOf(script, 'base64')}`),
  };
}

function digestOf(text: string, encoding: 'base64' | 'base64url'): string {
  return createHash('sha256').update(text).digest(encoding);
}
