/** Interprets the address and names of the server: who can reach it, and its own URL. */

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

/** Whether the address and every name are reachable from this machine only. */
export function isPrivate({ host, publicUrl, allowedHosts }: AddressOptions): boolean {
  const names = [host, ...allowedHosts.map(hostnameOf)];
  if (publicUrl !== undefined) names.push(new URL(publicUrl).hostname);
  return names.every(isLoopback);
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

/** Returns a warning if clients probably use a name that this server does not know. */
export function namelessWarning(options: AddressOptions): string | undefined {
  if (!isWildcard(options.host) || options.publicUrl !== undefined) return undefined;
  const served = options.allowedHosts.length === 0 ? ', only localhost is served' : '';
  return `Without MCP_PUBLIC_URL${served}, and addresses that are given out name 127.0.0.1`;
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

/**
 * Returns the name without its port: `[::1]` for `[::1]:3333`. A suffix that is not a port is kept, so that the
 * name matches none.
 */
export function hostnameOf(host: string): string {
  const [, name = host, port = '0'] = /^(.*):(\d{1,5})$/.exec(host) ?? [];
  return (Number(port) > 65_535 ? host : name).toLowerCase();
}

/** Explanations by error code why the address is unavailable. */
export const listenProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'MCP_PORT names a port that another program has taken.',
  EACCES: 'MCP_PORT names a port that this user may not take.',
  EADDRNOTAVAIL: 'MCP_HOST names an address that this machine does not have.',
  ENOTFOUND: 'MCP_HOST names a host that cannot be found.',
};
