/** The state that all tools share while the server runs. Configure deadline, retries, limits and credential here. */
import { createCredentials, createUpstream, type Credentials, type Upstream } from '@gatehouse/mcp';
import type { SkeletonSettings } from './settings.ts';

export interface SkeletonState {
  readonly upstream: Upstream;
  /** The token from the environment, and the accounts that callers connected. */
  readonly credentials: Credentials;
}

export function createSkeletonState({
  baseUrl,
  token,
  timeoutMs,
}: SkeletonSettings): SkeletonState {
  const credentials = createCredentials(token);
  return { credentials, upstream: createUpstream({ baseUrl, timeoutMs, credentials }) };
}
