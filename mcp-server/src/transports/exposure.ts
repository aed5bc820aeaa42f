/** What an address and its names mean: who can reach this server, and what it calls itself. */
import { hostnameOf, isLoopback } from './gate/host.ts';

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

const wildcards = new Set(['0.0.0.0', '::', '']);

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
    ...(wildcards.has(host) ? [] : [bracketed(host)]),
    ...(publicUrl === undefined ? [] : [new URL(publicUrl).host]),
  ];
}

/** @param port The one that was taken. */
export function originOf({ host, publicUrl }: AddressOptions, port: number): string {
  if (publicUrl !== undefined) return new URL(publicUrl).origin;
  return `http://${wildcards.has(host) ? '127.0.0.1' : bracketed(host)}:${port}`;
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
