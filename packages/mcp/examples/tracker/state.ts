/** The state that all tools share while the server runs. The tracker expects its key in a custom header. */
import { createCredentials, createUpstream, type Credentials, type Upstream } from '@gatehouse/mcp';
import type { TrackerSettings } from './settings.ts';

export interface TrackerState {
  readonly upstream: Upstream;
  readonly credentials: Credentials;
}

export function createTrackerState({ baseUrl, key }: TrackerSettings): TrackerState {
  const credentials = createCredentials(key, { header: 'x-api-key', scheme: '' });
  return { credentials, upstream: createUpstream({ baseUrl, credentials }) };
}
