/** The state that all tools share while the server runs (M26). */
import { createCredentials, createUpstream, type Credentials, type Upstream } from '@gatehouse/mcp';
import type { ExampleSettings } from './settings.ts';

export interface ExampleState {
  readonly upstream: Upstream;
  /** The token from the environment, and the accounts that callers connected. */
  readonly credentials: Credentials;
}

export function createExampleState({ baseUrl, token, timeoutMs }: ExampleSettings): ExampleState {
  const credentials = createCredentials(token);
  const headers = { 'user-agent': 'example_mcp' };
  return { credentials, upstream: createUpstream({ baseUrl, timeoutMs, credentials, headers }) };
}
