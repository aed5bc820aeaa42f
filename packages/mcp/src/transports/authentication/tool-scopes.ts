/** Rejects calls of tools whose additional scopes an OAuth caller lacks, and names the scopes. */
import type { Registry } from '../../core/definition/registry/registry.ts';
import { readIncoming } from '../messages/incoming.ts';
import type { GateResponse, Middleware } from '../gate/exchange.ts';
import { insufficientScope, type OAuthOptions } from './oauth.ts';

export function scopesOfTools({ tools }: Pick<Registry, 'tools'>): string[] {
  return [...new Set([...tools.values()].flatMap(({ scopes }) => scopes ?? []))].sort();
}

/**
 * Returns a middleware that runs after the body was read, because the body names the tool. Undefined if no tool
 * requires scopes.
 */
export function checkToolScopes(
  { tools }: Pick<Registry, 'tools'>,
  options: Pick<OAuthOptions, 'metadataUrl' | 'scopes'>,
): Middleware | undefined {
  const needed = new Map<unknown, readonly string[]>();
  const refusals = new Map<unknown, GateResponse>();
  for (const { name, scopes = [] } of tools.values()) {
    if (scopes.length === 0) continue;
    needed.set(name, scopes);
    const all = [...new Set([...options.scopes, ...scopes])];
    refusals.set(name, insufficientScope({ ...options, scopes: all }));
  }
  if (needed.size === 0) return undefined;
  return ({ body, caller }) => {
    const incoming = readIncoming(body);
    if (incoming.kind !== 'request' || incoming.message.method !== 'tools/call') return undefined;
    const name = incoming.message.params?.['name'];
    const isGranted = needed.get(name)?.every((scope) => caller?.scopes?.includes(scope)) ?? true;
    return isGranted ? undefined : refusals.get(name);
  };
}
