/** The headers of every response, in one table. */
import type { ServerSettings } from '../site.ts';

/** The kind of response, which determines its headers. */
export type ResponseKind = 'page' | 'resource' | 'asset';

export interface HeaderOptions {
  kind: ResponseKind;
  env: Pick<ServerSettings, 'frameAncestors' | 'mode' | 'siteOrigin' | 'contentSources'>;
  /** The nonce of this page's own scripts. Pages only. */
  nonce?: string | undefined;
  /** The digest of a `<style>` in the page. In development only. */
  styleHash?: string | undefined;
  /** The digests of the scripts in a page that is the same for everybody, and so has no nonce. */
  scriptHashes?: readonly string[];
  /** Whether pages of other sites may show it. */
  embeddable?: boolean | undefined;
}

/**
 * Never `X-Frame-Options`: it cannot name the platform's origin, and would block the frame that the site runs
 * in. `frame-ancestors` controls framing instead.
 */
const everywhere = {
  'x-content-type-options': 'nosniff',
  // `no-referrer` would make form posts send `Origin: null`, which the origin check rejects.
  'referrer-policy': 'strict-origin-when-cross-origin',
};

const byKind: Record<ResponseKind, (options: HeaderOptions) => Record<string, string>> = {
  page: (options) => ({
    'content-security-policy': pagePolicy(options),
    'cross-origin-resource-policy': 'same-origin',
    // Lets pop-ups that a page opens, such as a payment's, keep a reference to it.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cache-control': 'private, no-store',
  }),
  // A file or relayed response that is opened directly must be inert, whatever its type.
  resource: ({ env, embeddable }) => ({
    'content-security-policy': `default-src 'none'; sandbox; frame-ancestors ${env.frameAncestors.join(' ')}`,
    'cross-origin-resource-policy': embeddable ? 'cross-origin' : 'same-origin',
    'cache-control': 'private, no-store',
  }),
  asset: () => ({ 'cross-origin-resource-policy': 'same-origin' }),
};

/** Lower-case header names and their values. */
export function headersFor(options: HeaderOptions): Record<string, string> {
  return { ...everywhere, ...byKind[options.kind](options) };
}

function pagePolicy({ env, nonce, styleHash, scriptHashes = [] }: HeaderOptions): string {
  const development = env.mode === 'development';
  const own = ["'self'", ...(nonce ? [`'nonce-${nonce}'`] : [])];
  const policy: Record<string, string[]> = {
    'default-src': ["'self'"],
    'script-src': [...own, ...scriptHashes.map((hash) => `'${hash}'`)],
    'style-src': [...own, ...(styleHash ? [`'${styleHash}'`] : [])],
    // Not every browser matches a WebSocket against 'self', and Vite's client needs one.
    'connect-src': ["'self'", ...(development ? [env.siteOrigin.replace(/^http/, 'ws')] : [])],
    'img-src': ["'self'", 'blob:', 'data:'],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-src': ["'none'"],
    'frame-ancestors': [...env.frameAncestors],
  };
  for (const [directive, origins] of Object.entries(env.contentSources ?? {})) {
    const allowed = policy[directive]?.filter((source) => source !== "'none'") ?? ["'self'"];
    policy[directive] = [...allowed, ...origins];
  }
  return Object.entries(policy)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}
