/** Interprets the address and names of the server: who can reach it, and its own URL. */
import { isIPv6 } from 'node:net';

export interface AddressOptions {
  /** The address to listen on: a name, an IPv4 address, or an IPv6 address without brackets. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The origin that clients use if a proxy is in front: `https://mcp.example.com`. */
  readonly publicUrl?: string | undefined;
  /** Further names that clients may use: see `checkHost`. */
  readonly allowedHosts: readonly string[];
}

/** `0.0.0.0`, `::`, and other notations of the unspecified address. */
const isWildcard = (host: string) => /^[0.:]*$/.test(host);

/** Returns the first setting, with its value, that makes the server reachable from other machines. */
export function openName({ host, publicUrl, allowedHosts }: AddressOptions): string | undefined {
  if (!isLoopback(host)) return `MCP_HOST=${host}`;
  if (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname)) {
    return `MCP_PUBLIC_URL=${publicUrl}`;
  }
  const open = allowedHosts.find((allowed) => !isLoopback(readHost(allowed).hostname));
  return open === undefined ? undefined : `MCP_ALLOWED_HOSTS=${open}`;
}

/**
 * Returns the names that clients may use in addition to loopback names. A wildcard address has no name of its own.
 */
export function servedHosts({ host, publicUrl, allowedHosts }: AddressOptions): readonly string[] {
  return [
    ...allowedHosts,
    ...(isWildcard(host) ? [] : [bracketed(host)]),
    ...(publicUrl === undefined ? [] : [new URL(publicUrl).host]),
  ];
}

/** @param port The port that the server listens on. */
export function originOf({ host, publicUrl }: AddressOptions, port: number): string {
  if (publicUrl !== undefined) return new URL(publicUrl).origin;
  return `http://${isWildcard(host) ? '127.0.0.1' : bracketed(host)}:${port}`;
}

/**
 * Returns a warning if clients probably use a name that this server does not know.
 *
 * @param port The port that the server listens on.
 */
export function namelessWarning(options: AddressOptions, port: number): string | undefined {
  const { host, publicUrl, allowedHosts } = options;
  if (!isWildcard(host) || publicUrl !== undefined) return undefined;
  return [
    `MCP_PUBLIC_URL is not set, and MCP_HOST=${host} is no name that clients can use.`,
    ...(allowedHosts.length === 0
      ? ['So only localhost is served: a request with any other Host gets a 403.']
      : []),
    `The addresses that the server gives to clients begin with ${originOf(options, port)}, which only this machine reaches.`,
    'Set MCP_PUBLIC_URL to the origin that clients use, such as https://mcp.example.com.',
  ].join(' ');
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a browser resolves the name to this machine only. The name must be in lower case. */
export function isLoopbackName(hostname: string): boolean {
  return loopbackNames.has(hostname);
}

/** Whether it is `localhost`, in `127.0.0.0/8`, or `::1` with or without brackets. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase();
  return isLoopbackName(name) || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

export interface Host {
  /** In lower case, without the final dot of a fully qualified name. An IPv6 address is in brackets. */
  readonly hostname: string;
  /** Absent for the scheme's default port, which clients leave out. */
  readonly port?: string;
}

/**
 * Reads a Host header. A suffix that is not a port is kept, so that the name matches none. Apart from IPv6
 * addresses, a name is not parsed as a URL's: a browser sends `127.0.0.1` for `2130706433`, and nothing else should
 * be taken for it.
 */
export function readHost(header: string): Host {
  const [, name = header, port] = /^(.*):(\d{1,5})$/.exec(header) ?? [];
  const isPort = port === undefined || Number(port) <= 65_535;
  const hostname = canonicalName(isPort ? name : header);
  return { hostname, ...(isPort && port !== undefined && { port: String(Number(port)) }) };
}

function canonicalName(name: string): string {
  const url = `http://${name}`;
  if (/^\[[\da-f:.]+\]$/i.test(name) && URL.canParse(url)) return new URL(url).hostname;
  return name.toLowerCase().replace(/\.$/, '');
}

/**
 * Reads a host that an operator wrote, in any spelling that the URL parser reads: capitals, umlauts, an IPv6 address
 * with or without brackets. Undefined if it is anything else, such as a URL or a pattern.
 */
export function parseHost(text: string): Host | undefined {
  const bracketedText = isIPv6(text) ? `[${text}]` : text;
  const [, name = '', port] =
    /^(\[[^\]]+\]|[^\s:/?#@\\*[\]]+)(?::(\d{1,5}))?$/.exec(bracketedText) ?? [];
  if (name === '' || !URL.canParse(`http://${name}`) || Number(port ?? 0) > 65_535) {
    return undefined;
  }
  const { hostname } = new URL(`http://${name}`);
  if (!isHostName(hostname)) return undefined;
  return readHost(`${hostname}${port === undefined ? '' : `:${port}`}`);
}

/**
 * Whether a URL's host consists of labels of letters, digits, hyphens and underscores, with or without a final dot,
 * or is an IPv6 address. The URL parser accepts almost any other character, and empty labels.
 */
export function isHostName(hostname: string): boolean {
  return /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[\da-f:]+\])$/.test(hostname);
}

/** Returns the origin of an http or https URL that consists of nothing else, as a browser writes it. */
export function parseOrigin(text: string): string | undefined {
  const isPlain = /^https?:\/\/[^\s/?#@\\]+\/?$/i.test(text);
  return isPlain && URL.canParse(text) ? new URL(text).origin : undefined;
}

/** Whether an Origin header belongs to a page of the server that was called by this Host header. */
export function isOwnOrigin(origin: string, host: string | undefined): boolean {
  const given = parseOrigin(origin);
  if (given === undefined || host === undefined) return false;
  return parseOrigin(`${new URL(given).protocol}//${host}`) === given;
}

/** Explains by error code why the address is unavailable. */
export function listenProblem(
  { code = 'unknown error' }: NodeJS.ErrnoException,
  { host, port }: Pick<AddressOptions, 'host' | 'port'>,
): string {
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `MCP_PORT names a port that another program has taken: ${port}.`,
    EACCES: `MCP_PORT names a port that this user may not take: ${port}.`,
    EADDRNOTAVAIL: `MCP_HOST names an address that this machine does not have: ${host}.`,
    ENOTFOUND: `MCP_HOST names a host that cannot be found: ${host}.`,
  };
  return problems[code] ?? `It cannot listen on MCP_HOST=${host} and MCP_PORT=${port} (${code}).`;
}
