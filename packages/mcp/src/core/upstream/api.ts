/** The state of a service that wraps one API, which most services are. */
import type { UpstreamCall } from '../context/tool-context.ts';
import {
  createUpstream,
  type RequestOptions,
  type ResponseOf,
  type Upstream,
  type UpstreamOptions,
} from './client.ts';
import {
  createCredentials,
  type CredentialOptions,
  type Credentials,
  type FetchSecret,
} from './credentials.ts';
import type { UpstreamPath } from './path.ts';

export interface ApiState {
  readonly upstream: Upstream;
  /** The server's own credential, and the accounts that callers connected. */
  readonly credentials: Credentials;
}

export interface ApiOptions extends Omit<UpstreamOptions, 'credentials'> {
  /** The server's own credential, or how to fetch it: for callers who connected no account. */
  readonly token?: string | FetchSecret | undefined;
  /** How a credential is sent. Default: `Authorization: Bearer …`. */
  readonly credential?: CredentialOptions;
  /** The endpoint that `/readyz` asks. */
  readonly ready: UpstreamPath;
}

/** What `start` of a service returns that wraps one API: `start: ({ ACME_API_URL: baseUrl }) => api({ baseUrl, … })`. */
export function api({ token, credential, ready, ...options }: ApiOptions) {
  const credentials = createCredentials(token, credential);
  const upstream = createUpstream({ ...options, credentials });
  const state: ApiState = { upstream, credentials };
  return {
    state,
    credentials,
    isReady: (signal: AbortSignal) => upstream.isReady(ready, signal),
    stop: () => upstream.close(),
  };
}

/**
 * Requests an endpoint of the service's API on behalf of the caller: `request(context, path`/teams`, { query })`. Returns
 * the parsed JSON; other kinds of bodies by `as`. Deadline, credential, limits and retries apply ({@link Upstream}).
 */
// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- Without options.
export function request<const Options extends RequestOptions = Record<never, never>>(
  context: UpstreamCall & { readonly lifespanState: Pick<ApiState, 'upstream'> },
  endpoint: UpstreamPath,
  options: Options = {} as Options,
): Promise<ResponseOf<Options>> {
  return context.lifespanState.upstream.request(endpoint, options, context);
}
