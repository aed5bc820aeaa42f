/** Selects the credential for each caller. The only module that handles upstream credentials (M31). */
import { LRUCache } from 'lru-cache';
import {
  GivenSecret,
  type Caller,
  type SecretStore,
  type UpstreamCall,
} from '../context/tool-context.ts';
import { ToolError } from '../result/errors.ts';

export interface Credentials extends SecretStore {
  /** The request header for the credential, in lower case. */
  readonly header: string;
  /**
   * Returns the header's value: the given secret, if one is being tried; otherwise the caller's own credential, the
   * server's, or undefined. A promise while it is being fetched.
   */
  of(caller: Caller, given?: GivenSecret): string | undefined | Promise<string>;
  /** Returns a replacement for a value that the service rejected with 401. Undefined if there is none to fetch. */
  renewed(caller: Caller, refused: string): string | undefined | Promise<string>;
  /** Makes the secret the credential of the caller who gave it, in place of the previous one. */
  keep(given: GivenSecret): void;
}

export interface CredentialOptions {
  readonly header?: string;
  /** The prefix of the secret: `Bearer`, or an empty string for a bare key. */
  readonly scheme?: string;
  /** Maximum number of callers whose secrets are kept. The least recently used is evicted. */
  readonly capacity?: number;
  /**
   * Fetches a secret for one caller instead of the server's, for example by a token exchange for an OAuth caller's
   * claims and scopes. Return undefined to use the server's. Secrets are cached by id, scopes and claims, so that a
   * token with fewer scopes never uses a secret obtained with more.
   */
  readonly ofCaller?: (caller: Caller) => FetchSecret | undefined;
}

/** A fetched secret. Without `expiresInSeconds` it is used until the service rejects it. */
export interface FetchedSecret {
  readonly secret: string;
  readonly expiresInSeconds?: number;
}

/**
 * Fetches the server's own secret, shared by all callers, from a token endpoint or a vault. Called before the first
 * request that needs it, once for all concurrent requests, and again shortly before the secret expires.
 *
 * @param call For a separate upstream client: `auth.request(path`/token`, …, call)`. It has no caller's identity.
 */
export type FetchSecret = (call: UpstreamCall) => Promise<FetchedSecret>;

/**
 * Creates the credential store. Secrets are kept in memory only.
 *
 * @param server The token from the environment, or how to fetch one: for callers without their own.
 */
export function createCredentials(
  server?: string | FetchSecret,
  {
    header = 'authorization',
    scheme = 'Bearer',
    capacity = 1_000,
    ofCaller,
  }: CredentialOptions = {},
): Credentials {
  const valueOf = (secret: string) => (scheme === '' ? secret : `${scheme} ${secret}`);
  const serverValue = typeof server === 'string' ? valueOf(server) : undefined;
  const fetched = typeof server === 'function' ? new FetchedValue(server, valueOf) : undefined;
  const exchanged = new LRUCache<string, FetchedValue>({ max: capacity });
  /** Returns the caller's fetched credential if `ofCaller` provides one, otherwise the server's. */
  const fetchedFor = (caller: Caller): FetchedValue | undefined => {
    const fetch = ofCaller?.(caller);
    if (!fetch) return fetched;
    const key = grantOf(caller);
    const known = exchanged.get(key) ?? new FetchedValue(fetch, valueOf);
    exchanged.set(key, known);
    return known;
  };
  const own = new LRUCache<string, string>({ max: capacity });
  /** Weak, so that a secret is released with the call that asked for it. */
  const received = new WeakMap<GivenSecret, { id: string; value: string }>();

  function secretOf(given: GivenSecret) {
    const secret = received.get(given);
    if (!secret) throw new Error('The secret was given to another store');
    return secret;
  }

  return {
    header,
    of(caller, given) {
      if (given) return secretOf(given).value;
      return own.get(caller.id) ?? fetchedFor(caller)?.get() ?? serverValue;
    },
    renewed(caller, refused) {
      return own.has(caller.id) ? undefined : fetchedFor(caller)?.renew(refused);
    },
    receive({ id }, secret) {
      const given = new GivenSecret();
      received.set(given, { id, value: valueOf(usable(secret)) });
      return given;
    },
    keep(given) {
      const { id, value } = secretOf(given);
      own.set(id, value);
    },
  };
}

const timesOfToken = new Set(['exp', 'iat', 'nbf', 'jti', 'auth_time']);

function grantOf({ id, scopes = [], claims = {} }: Caller): string {
  const lasting = Object.entries(claims).filter(([name]) => !timesOfToken.has(name));
  return JSON.stringify([id, [...scopes].sort(), lasting.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** The caller of the server's own requests. No client has this id. */
export const serverItself: Caller = { id: 'server' };

const longestFetchMs = 60_000;

/** Renewed when less than this, or less than a tenth of its lifetime, remains. */
const renewalMs = 60_000;

/** A fetched value. Concurrent callers share one fetch. */
class FetchedValue {
  readonly #fetch: FetchSecret;
  readonly #valueOf: (secret: string) => string;
  #value: string | undefined;
  #goodUntil = 0;
  #fetching: Promise<string> | undefined;

  constructor(fetch: FetchSecret, valueOf: (secret: string) => string) {
    this.#fetch = fetch;
    this.#valueOf = valueOf;
  }

  get(): string | Promise<string> {
    if (this.#value !== undefined && performance.now() < this.#goodUntil) return this.#value;
    this.#fetching ??= this.#fetched().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  renew(refused: string): string | Promise<string> {
    if (this.#value === refused) this.#value = undefined;
    return this.get();
  }

  async #fetched(): Promise<string> {
    const { secret, expiresInSeconds } = await this.#fetch({
      cancellation: AbortSignal.timeout(longestFetchMs),
      caller: serverItself,
    });
    const milliseconds = (expiresInSeconds ?? Infinity) * 1_000;
    this.#value = this.#valueOf(secret);
    this.#goodUntil = performance.now() + milliseconds - Math.min(renewalMs, milliseconds / 10);
    return this.#value;
  }
}

function usable(secret: string): string {
  const trimmed = secret.trim();
  if (/^[\x20-\x7e]{1,4096}$/.test(trimmed)) return trimmed;
  throw new ToolError(
    'The secret must have 1 to 4,096 characters: letters, digits and signs of ASCII. Please check it.',
  );
}
