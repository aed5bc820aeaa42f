/** A cookie jar for a visitor without a browser: the cookies that one site has set, whatever their path. */

export interface KeptCookie {
  name: string;
  value: string;
  /** Its attributes by name, in lower case; empty for those that have no value. */
  attributes: Readonly<Record<string, string>>;
}

export interface CookieJar {
  /** Stores the cookies that a response sets, and removes those that it deletes. */
  take(setCookies: readonly string[]): void;
  /** The value of a `Cookie` header; null when the jar is empty. */
  header(): string | null;
  cookies(): KeptCookie[];
}

export function createCookieJar(): CookieJar {
  const kept = new Map<string, KeptCookie>();
  return {
    take(setCookies) {
      for (const cookie of setCookies.map(cookieOf)) {
        if (isTakenBack(cookie)) kept.delete(cookie.name);
        else kept.set(cookie.name, cookie);
      }
    },
    header() {
      const pairs = [...kept.values()].map(({ name, value }) => `${name}=${value}`);
      return pairs.length > 0 ? pairs.join('; ') : null;
    },
    cookies: () => [...kept.values()],
  };
}

function cookieOf(setCookie: string): KeptCookie {
  const [pair = ['', ''], ...attributes] = setCookie.split(';').map((part): [string, string] => {
    const equals = part.indexOf('=');
    return equals < 0
      ? [part.trim(), '']
      : [part.slice(0, equals).trim(), part.slice(equals + 1).trim()];
  });
  const [name, value] = pair;
  return {
    name,
    value,
    attributes: Object.fromEntries(
      attributes.map(([attribute, given]) => [attribute.toLowerCase(), given]),
    ),
  };
}

/** RFC 6265, 5.3: `Max-Age` takes precedence over `Expires`. */
function isTakenBack({ attributes }: KeptCookie): boolean {
  const { 'max-age': age, expires } = attributes;
  if (age !== undefined) return Number(age) <= 0;
  return expires !== undefined && new Date(expires) <= new Date();
}
