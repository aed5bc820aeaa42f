/** What every tool shares while the server runs. Deadline, retries, limits and the credential are options here. */
import { createUpstream, type Upstream } from '../../src/core/upstream/client.ts';
import { createCredentials, type Credentials } from '../../src/core/upstream/credentials.ts';
import type { SkeletonSettings } from './settings.ts';

export interface SkeletonState {
  readonly upstream: Upstream;
  /** The environment's token, and the accounts that callers connected. */
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
