/** Who calls the upstream as whom: the one place that knows a credential (M31). */
import { LRUCache } from 'lru-cache';
import {
  GivenSecret,
  type Caller,
  type SecretStore,
  type UpstreamCall,
} from '../context/tool-context.ts';
import { ToolError } from '../result/errors.ts';

export interface Credentials extends SecretStore {
  /** The request header that carries the credential, in lower case. */
  readonly header: string;
  /**
   * The header's value: what the caller has just given, where it is tried; else the caller's own credential,
   * else the server's, else none. A promise while it is fetched.
   */
  of(caller: Caller, given?: GivenSecret): string | undefined | Promise<string>;
  /**
   * Another value in place of one that the service refused with 401; undefined where there is none to fetch.
   */
  renewed(caller: Caller, refused: string): string | undefined | Promise<string>;
  /** From now on it is the credential of the caller who gave it, in place of the one before. */
  keep(given: GivenSecret): void;
}

export interface CredentialOptions {
  readonly header?: string;
  /** Stands before the secret: `Bearer`, or an empty string for a bare key. */
  readonly scheme?: string;
  /** Callers whose secrets are kept; the one unused for longest goes first. */
  readonly capacity?: number;
  /**
   * How to fetch a secret of this caller's own, in place of the server's: by a token exchange for an OAuth caller's
   * claims and scopes, say. Undefined where the server's serves. What was fetched is kept for callers of the same
   * id, scopes and claims: a token that was granted less never acts with what one that was granted more obtained.
   */
  readonly ofCaller?: (caller: Caller) => FetchSecret | undefined;
}

/** A secret that was fetched. Without a time it is good until the service refuses it. */
export interface FetchedSecret {
  readonly secret: string;
  readonly expiresInSeconds?: number;
}

/**
 * Fetches the server's own secret, which serves every caller: from a token endpoint or a vault. It is fetched
 * before the first call that needs it, once for all who wait, and again shortly before it expires.
 *
 * @param call For an upstream client of its own: `auth.request(path`/token`, …, call)`. It belongs to no caller.
 */
export type FetchSecret = (call: UpstreamCall) => Promise<FetchedSecret>;

/**
 * Secrets are in memory only.
 *
 * @param server The environment's token, or how to fetch one: for callers who gave none of their own.
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
  /** Of the caller's own where there is one, else the server's. */
  const fetchedFor = (caller: Caller): FetchedValue | undefined => {
    const fetch = ofCaller?.(caller);
    if (!fetch) return fetched;
    const key = grantOf(caller);
    const known = exchanged.get(key) ?? new FetchedValue(fetch, valueOf);
    exchanged.set(key, known);
    return known;
  };
  /** In the order of their last use. */
  const own = new Map<string, string>();
  /** Gone with the call that asked for it. */
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
      const { id } = caller;
      const value = own.get(id);
      if (value === undefined) return fetchedFor(caller)?.get() ?? serverValue;
      own.delete(id);
      own.set(id, value);
      return value;
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
      own.delete(id);
      own.set(id, value);
      if (own.size > capacity) for (const oldest of own.keys()) if (own.delete(oldest)) break;
    },
  };
}

/** They differ from one token of a grant to the next. */
const timesOfToken = new Set(['exp', 'iat', 'nbf', 'jti', 'auth_time']);

/** All that tells one grant from another. */
function grantOf({ id, scopes = [], claims = {} }: Caller): string {
  const lasting = Object.entries(claims).filter(([name]) => !timesOfToken.has(name));
  return JSON.stringify([id, [...scopes].sort(), lasting.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** The caller of what the server asks for itself. Nobody else has this id. */
export const serverItself: Caller = { id: 'server' };

const longestFetchMs = 60_000;

/** Fetched again when less than this is left of its time, or a tenth where that is less. */
const renewalMs = 60_000;

/** One value for everybody, however many wait for it. */
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
