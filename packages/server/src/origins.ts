/**
 * Origins as people write them in settings, in the spelling that browsers compare: lower case, punycode, without a
 * default port. Imports nothing, so that the site's settings can use it.
 */

/** The normalised value, or what is wrong with the given one, as the rest of a sentence. */
export type Reading = { value: string } | { problem: string };

/** Reads an origin: scheme, host and port. */
export function readOrigin(text: string): Reading {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = /^\s*https?:\/\//i.test(text);
  if (isWeb && (url ? hidesCredentials(url) : text.includes('@'))) return { problem: mustBePlain };
  if (isList(text)) return { problem: 'must be one origin, not a list' };
  const hostProblem = isWeb ? problemOfHost(text) : null;
  if (hostProblem !== null) return { problem: hostProblem };
  if (!url || !/^https?:$/.test(url.protocol)) {
    return { problem: 'must be an http or https origin, such as https://site.example' };
  }
  if (!/^([a-z0-9._-]+|\[[0-9a-f:]+\])$/.test(url.hostname)) {
    return { problem: url.username || url.password ? mustBePlain : oddHost };
  }
  // Browsers treat a name with a dot at its end as another host.
  const plain = url.origin.replace(/\.(?=:\d+$|$)/, '');
  return url.href === `${plain}/` ? { value: plain } : { problem: `must be only ${plain}` };
}

function isList(text: string): boolean {
  return /[\s,]|[;|]\s*https?:/i.test(text.trim()) && !text.includes('@');
}

/** What is wrong with the host or the port of an address of any scheme, as the rest of a sentence; or null. */
export function problemOfHost(address: string): string | null {
  const [, authority = ''] = /^\s*[a-z][a-z\d+.-]*:[/\\]{2}([^/?#\\\s]*)/i.exec(address) ?? [];
  const server = authority.slice(authority.lastIndexOf('@') + 1);
  const [, host = '', port = ''] = /^(\[.*\]|[^:]*)(?::([^:]*))?$/.exec(server) ?? [];
  if (!/^\d*$/.test(port) || Number(port) > 65_535) return 'must have a port of at most 65535';
  if (/^\.|\.\./.test(host)) return 'must have a name before and after each dot of its host';
  return null;
}

/** A password with “/”, “?” or “#” ends the host there: the spelling would show a part of it. */
function hidesCredentials({ pathname, search, hash }: URL): boolean {
  return (pathname + search + hash).includes('@');
}

const mustBePlain = 'must be an origin without credentials, such as https://site.example';

const oddHost = 'must have a host of letters, digits, dots and hyphens';

/**
 * Reads a source of a content security policy: a keyword such as `'self'`, a scheme such as `data:`, or an origin, whose
 * host may start with `*.` and whose port may be `*`.
 *
 * @param options.schemes those of the origins, such as `['https', 'wss']`.
 * @param options.path whether a path may follow the origin.
 */
export function readSource(
  text: string,
  { schemes, path: mayHavePath = false }: { schemes: readonly string[]; path?: boolean },
): Reading {
  if (/^'[\w+/=-]+'$/.test(text)) {
    return { value: text.includes('-') ? text : text.toLowerCase() };
  }
  if (/^(self|none)$/i.test(text)) {
    const quoted = `'${text.toLowerCase()}'`;
    return { problem: `must have single quotes around ${text}, which shells remove: "${quoted}"` };
  }
  if (/^[a-z][\w+.-]*:$/i.test(text)) return { value: text.toLowerCase() };
  const [, given = '', wildcard = '', host = '', anyPort = '', path = ''] =
    /^([a-z]+):\/\/(\*\.)?([^/?#\\]*?)(:\*)?([/?#\\].*)?$/i.exec(text) ?? [];
  const scheme = given.toLowerCase();
  if (!schemes.includes(scheme)) {
    return { problem: `must begin with ${schemes.map((known) => `${known}://`).join(' or ')}` };
  }
  // The parser knows no origins of WebSockets.
  const web = scheme.replace(/^ws/, 'http');
  if (!URL.canParse(`${web}://${host}`)) {
    if (path.includes('@')) return { problem: mustBePlain };
    return { problem: problemOfHost(`${web}://${host}`) ?? oddHost };
  }
  const read = readOrigin(`${web}://${host}`);
  const spelled = (origin: string) =>
    origin.replace(`${web}://`, `${scheme}://${wildcard}`) + anyPort;
  if ('problem' in read) return { problem: read.problem.replace(/https?:\/\/.+/, spelled) };
  // The policy's grammar has no IPv6 addresses.
  if (read.value.includes('[')) return { problem: oddHost };
  const whole = new URL(read.value + path);
  const { pathname, search, hash } = whole;
  if (!mayHavePath && hidesCredentials(whole)) return { problem: mustBePlain };
  if (search || hash || (!mayHavePath && pathname !== '/')) {
    return { problem: `must be only ${spelled(read.value)}` };
  }
  if (pathname === '/') return { value: spelled(read.value) };
  const encoded = pathname.replace(/[;,]/g, (mark) => (mark === ';' ? '%3B' : '%2C'));
  return { value: spelled(read.value) + encoded };
}
