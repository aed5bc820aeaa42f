/** What an address and its names mean: who can reach this server, and what it calls itself. */

export interface AddressOptions {
  /** The address to listen on: a name, an IPv4 or an IPv6 address without brackets. */
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** The origin that callers use, when a proxy stands before: `https://mcp.example.com`. */
  readonly publicUrl?: string | undefined;
  /** Further names that callers may use: see `checkHost`. */
  readonly allowedHosts: readonly string[];
}

/** `0.0.0.0`, `::`, and other ways to write zero. */
const isWildcard = (host: string) => /^[0.:]*$/.test(host);

/** True when only this machine can call, by the address and by every name. */
export function isPrivate({ host, publicUrl, allowedHosts }: AddressOptions): boolean {
  const names = [host, ...allowedHosts.map(hostnameOf)];
  if (publicUrl !== undefined) names.push(new URL(publicUrl).hostname);
  return names.every(isLoopback);
}

/** Every name that callers may use, beside loopback's. A wildcard address has no name of its own. */
export function servedHosts({ host, publicUrl, allowedHosts }: AddressOptions): readonly string[] {
  return [
    ...allowedHosts,
    ...(isWildcard(host) ? [] : [bracketed(host)]),
    ...(publicUrl === undefined ? [] : [new URL(publicUrl).host]),
  ];
}

/** @param port The one that was taken. */
export function originOf({ host, publicUrl }: AddressOptions, port: number): string {
  if (publicUrl !== undefined) return new URL(publicUrl).origin;
  return `http://${isWildcard(host) ? '127.0.0.1' : bracketed(host)}:${port}`;
}

/** What an operator should hear at the start: names that callers use, and this server does not know. */
export function namelessWarning(options: AddressOptions): string | undefined {
  if (!isWildcard(options.host) || options.publicUrl !== undefined) return undefined;
  const served = options.allowedHosts.length === 0 ? ', only localhost is served' : '';
  return `Without MCP_PUBLIC_URL${served}, and addresses that are given out name 127.0.0.1`;
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The names that a browser sends to this machine alone, in lower case. */
export function isLoopbackName(hostname: string): boolean {
  return loopbackNames.has(hostname);
}

/** True for `localhost`, `127.0.0.1` and its neighbours, and `::1`, with brackets or without. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase();
  return isLoopbackName(name) || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

/** The name without its port: `[::1]:3333` is `[::1]`. A suffix that is no port stays, so that no name matches. */
export function hostnameOf(host: string): string {
  const [, name = host, port = '0'] = /^(.*):(\d{1,5})$/.exec(host) ?? [];
  return (Number(port) > 65_535 ? host : name).toLowerCase();
}

/** Why the address cannot be listened on, by the code of the error. */
export const listenProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'MCP_PORT names a port that another program has taken.',
  EACCES: 'MCP_PORT names a port that this user may not take.',
  EADDRNOTAVAIL: 'MCP_HOST names an address that this machine does not have.',
  ENOTFOUND: 'MCP_HOST names a host that cannot be found.',
};
