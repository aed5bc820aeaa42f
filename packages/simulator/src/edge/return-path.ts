/** The policy for `?return=`: where a visitor may land after signing in or out. */

/** Longer ones are refused: no page of a site needs them, and they end up in a `Location` header. */
const MAX_LENGTH = 2_048;

export type ReturnPath =
  | { ok: true; path: string }
  /** `path` is then `/`; `reason` is for the ledger, never for the visitor. */
  | { ok: false; path: '/'; reason: string };

/**
 * Validates a return path as a browser would resolve it: parsed against the site's origin and serialized,
 * then validated again, because `/.//evil.test` serializes to `//evil.test`. Only path, query and fragment
 * are kept, so the result never names a host.
 *
 * @param value the decoded parameter; absent means the front page.
 * @param siteOrigin the site's public origin, such as `http://site.localhost:4000`.
 */
export function readReturnPath(value: string | null | undefined, siteOrigin: string): ReturnPath {
  if (value === null || value === undefined || value === '') return { ok: true, path: '/' };
  if (value.length > MAX_LENGTH) return refused('too long');

  const first = judge(value, siteOrigin);
  if (!first.ok) return first;
  const second = judge(first.path, siteOrigin);
  if (!second.ok) return second;
  return second.path === first.path ? second : refused('does not survive being read twice');
}

function judge(value: string, siteOrigin: string): ReturnPath {
  // The URL parser drops tabs and newlines and reads `\` as `/`; a proxy in between may not.
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f-\u009f]/.test(value)) return refused('control character');
  if (value.includes('\\')) return refused('backslash');
  if (value.startsWith('//')) return refused('names a host');

  let url: URL;
  try {
    url = new URL(value, siteOrigin);
  } catch {
    return refused('not a URL');
  }
  // The origin of a `blob:` URL is that of its creator, so the protocol is checked as well.
  if (url.protocol !== new URL(siteOrigin).protocol) return refused('another scheme');
  if (url.origin !== siteOrigin) return refused('another origin');
  if (url.username !== '' || url.password !== '') return refused('user information');
  if (!value.startsWith('/') && !value.startsWith(`${siteOrigin}/`) && value !== siteOrigin) {
    return refused('not a site path');
  }

  const path = url.pathname + url.search + url.hash;
  const problem = leadsElsewhere(url.pathname, siteOrigin);
  return problem === null ? { ok: true, path } : refused(problem);
}

/**
 * A return path must not lead to another `/__auth/` route, such as signing out, or loop. It is checked as is
 * and decoded, for servers that decode first: then `/%2fevil.test` names a host and `%5f` is a `_`.
 */
function leadsElsewhere(pathname: string, siteOrigin: string): string | null {
  const decoded = decodeRepeatedly(pathname);
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(decoded)) return 'encoded control character';
  for (const path of [pathname, new URL(siteOrigin + decoded).pathname]) {
    if (path.startsWith('//')) return 'names a host';
    if (/^\/__auth(\/|$)/i.test(path)) return 'leads back to the platform';
  }
  return null;
}

/** Lenient, as some servers are: an invalid escape must not hide the valid ones. */
function decodeRepeatedly(text: string): string {
  let current = text;
  for (let round = 0; round < 4; round += 1) {
    current = current.replace(/%([0-9a-f]{2})/gi, (_escape, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
  return current;
}

function refused(reason: string): ReturnPath {
  return { ok: false, path: '/', reason };
}
