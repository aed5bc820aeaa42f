/** Schemas for the values of settings: hosts, origins, numbers, lists. A message never repeats the value. */
import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { isHostName, isLoopback, parseHost, parseOrigin } from './transports/listening/address.ts';

/** Docker keeps the quotes of an `--env-file`, which shells remove. */
export const isQuoted = (text: string) => /^(["']).*\1$/s.test(text);

/** @param spelling What the operator probably meant. */
function refuse(context: z.RefinementCtx, problem: string, spelling?: string): never {
  context.addIssue({ code: 'custom', message: problem, params: { spelling } });
  return z.NEVER;
}

/**
 * Returns the message of an issue, with the spelling that {@link refuse} was given. Without it if the setting has an
 * `@` anywhere: a `/`, `?`, `#`, comma or space ends the host before it, and the spelling would show a part of a
 * password.
 *
 * @param value The whole value of the setting.
 */
export function messageOf(issue: z.core.$ZodIssue, value = ''): string {
  const spelling: unknown = issue.code === 'custom' ? issue.params?.['spelling'] : undefined;
  return typeof spelling === 'string' && !value.includes('@')
    ? `${issue.message}: ${spelling}`
    : issue.message;
}

export const list = z
  .string()
  .transform((text, context) => {
    const entries = text.split(/[\s,]+/).filter(Boolean);
    if (entries.length === 0) return refuse(context, 'must not be blank');
    return entries.some(isQuoted) ? refuse(context, 'must have no entries in quotes') : entries;
  })
  .default([]);

const isHttpUrl = (text: string) => /^\s*https?:\/\//i.test(text) && URL.canParse(text);

/** A Host header's value, in any spelling that the URL parser reads. */
export const host = z.string().transform((text, context) => {
  const parsed = parseHost(text);
  if (parsed)
    return parsed.port === undefined ? parsed.hostname : `${parsed.hostname}:${parsed.port}`;
  const problem = 'must list host names, such as mcp.example.com or mcp.example.com:8443';
  if (text.includes('*')) {
    return refuse(context, `${problem}; a name with * is not supported, write each name`);
  }
  const { host: spelling } = isHttpUrl(text) ? new URL(text) : { host: '' };
  return parseHost(spelling)
    ? refuse(context, 'must list host names without http:// and path', spelling)
    : refuse(context, problem);
});

/** An origin, in any spelling that the URL parser reads. */
export const origin = z.string().transform((text, context) => {
  const problem = 'must be an http or https origin, such as https://app.example';
  if (text.includes('*')) {
    return refuse(context, `${problem}; one with * is not supported, write each origin`);
  }
  if (!isHttpUrl(text)) return refuse(context, problem);
  const url = new URL(text);
  if (!isHostName(url.hostname)) {
    return refuse(context, 'must have a host of letters, digits, dots and hyphens');
  }
  const spelling = url.origin.replace(/\.(?=:\d+$|$)/, '');
  const parsed = parseOrigin(text);
  if (/\s/.test(text)) return refuse(context, 'must be an origin without spaces', spelling);
  if (parsed === undefined) {
    const alone = 'must be an origin alone, without user, path, query and fragment';
    return refuse(context, alone, spelling);
  }
  // Browsers treat the name with the dot as another host.
  return parsed === spelling
    ? parsed
    : refuse(context, 'must be an origin without a dot after the host', spelling);
});

/** What the server listens on: without a port, an IPv6 address without brackets. */
export const address = z.string().transform((text, context) => {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  // A zone, such as that of `fe80::1%eth0`, is not part of any URL.
  if (isIPv6(bare) && bare.includes('%')) return bare;
  const { hostname, port } = parseHost(text) ?? {};
  if (hostname !== undefined && port === undefined) return hostname.replace(/^\[|\]$/g, '');
  const scheme = text.includes('://') ? ', without a scheme and path' : '';
  return refuse(
    context,
    `must be an address or a host name alone, such as 0.0.0.0${scheme}; its port is MCP_PORT`,
  );
});

/** RFC 8414, section 2. Without TLS, an attacker on the network could replace the keys. */
export const issuer = z.string().transform((text, context) => {
  const example = 'such as https://login.example';
  if (!isHttpUrl(text)) return refuse(context, `must be an https URL, ${example}`);
  // Not the fields of the URL: those of an empty query or fragment are empty, and the parser removes spaces.
  const surplus = Object.entries({
    '@': 'a user',
    '?': 'a query',
    '#': 'a fragment',
    '\\': 'a backslash',
  })
    .filter(([mark]) => text.includes(mark))
    .map(([, name]) => name);
  if (/\s/.test(text)) surplus.push('spaces');
  if (surplus.length > 0) {
    return refuse(context, `must be an https URL without ${surplus.join(' or ')}, ${example}`);
  }
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || isLoopback(hostname)
    ? text
    : refuse(context, `must be an https URL, ${example}; http is for localhost alone`);
});

/** RFC 7519, section 4.1.3: any text, which is compared character by character. */
export const audience = z.string().regex(/^\S(.*\S)?$/, {
  error: 'must not be blank, and must have no spaces around it',
});

/** RFC 6749, appendix A.4. Scopes are sent in a header. */
export const scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, {
  error: 'must list scopes, such as tools:call',
});

export const redisUrl = z.string().transform((text, context) => {
  if (!/^\s*rediss?:\/\//i.test(text) || !URL.canParse(text)) {
    return refuse(context, 'must be a redis or rediss URL, such as redis://127.0.0.1:6379');
  }
  const { pathname, search, hash } = new URL(text);
  // These characters end the host: a part of the password would be taken for the port, and logged.
  return /\s/.test(text) || `${pathname}${search}${hash}`.includes('@')
    ? refuse(
        context,
        'must have spaces and the characters /, ? and # of a password percent-encoded',
      )
    : text;
});

/** A whole number within bounds. */
export const wholeNumber = (least: number, most: number) => {
  const error = { error: `must be a whole number from ${least} to ${most}` };
  return z
    .string()
    .regex(/^\d+$/, error)
    .transform(Number)
    .refine((value) => value >= least && value <= most, error);
};

export const oneOf = <const T extends readonly string[]>(...values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

/** `1` or `0`. Desktop applications write `true` and `false`. */
export const flag = oneOf('0', '1', 'true', 'false')
  .transform((value) => value === '1' || value === 'true')
  .meta({ kind: 'flag' });

/** The address of an API. Not by the URL's fields, which hide spaces, an empty query and a password with a slash. */
export const baseUrl = z
  .string()
  .refine(
    (text) => /^https?:\/\/[^\s?#@\\]+$/i.test(text) && URL.canParse(text),
    'must be an http: or https: URL without spaces, user, query or fragment',
  );

/** A credential. It is shown nowhere, and desktop applications keep it apart. */
export const secret = z
  .string()
  .regex(/^[\x21-\x7e]{1,4096}$/, 'must be printable ASCII without spaces')
  .meta({ secret: true });

/** Long enough for 32 random bytes in any encoding. */
export const stateKey = z.string().regex(/^[\x21-\x7e]{32,}$/, {
  error: 'must have at least 32 characters of ASCII; two keys with a comma between',
});

export const bearerToken = z.string().regex(/^[\x21-\x7e]{16,}$/, {
  error: 'must have at least 16 characters of ASCII, none of them a space',
});

/** `anna=…`: the caller's name and token. A comma separates entries. */
export const namedToken = z
  .string()
  .regex(/^[A-Za-z0-9][\w.@-]{0,63}=[\x21-\x7e]{16,}$/, {
    error: 'must list names with tokens of 16 characters of ASCII or more, such as anna=…',
  })
  .transform((text, context): [name: string, token: string] => {
    const at = text.indexOf('=');
    const token = text.slice(at + 1);
    if (isQuoted(token)) return refuse(context, 'must have no tokens in quotes');
    return [text.slice(0, at), token];
  });
