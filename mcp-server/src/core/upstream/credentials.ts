/** Who calls the upstream as whom: the one place that knows a credential (M31). */
import { GivenSecret, type Caller, type SecretStore } from '../context/tool-context.ts';
import { ToolError } from '../result/errors.ts';

export interface Credentials extends SecretStore {
  /** The request header that carries the credential, in lower case. */
  readonly header: string;
  /**
   * The header's value: what the caller has just given, where it is tried; else the caller's own credential,
   * else the environment's, else none.
   */
  of(caller: Caller, given?: GivenSecret): string | undefined;
  /** From now on it is the credential of the caller who gave it, in place of the one before. */
  keep(given: GivenSecret): void;
}

export interface CredentialOptions {
  readonly header?: string;
  /** Stands before the secret: `Bearer`, or an empty string for a bare key. */
  readonly scheme?: string;
  /** Callers whose secrets are kept; the one unused for longest goes first. */
  readonly capacity?: number;
}

/**
 * Secrets that callers give are in memory only.
 *
 * @param environmentToken For callers who gave none of their own.
 */
export function createCredentials(
  environmentToken?: string,
  { header = 'authorization', scheme = 'Bearer', capacity = 1_000 }: CredentialOptions = {},
): Credentials {
  const valueOf = (secret: string) => (scheme === '' ? secret : `${scheme} ${secret}`);
  const environmentValue = environmentToken === undefined ? undefined : valueOf(environmentToken);
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
    of({ id }, given) {
      if (given) return secretOf(given).value;
      const value = own.get(id);
      if (value === undefined) return environmentValue;
      own.delete(id);
      own.set(id, value);
      return value;
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

function usable(secret: string): string {
  const trimmed = secret.trim();
  if (/^[\x20-\x7e]{1,4096}$/.test(trimmed)) return trimmed;
  throw new ToolError(
    'The secret must have 1 to 4,096 characters: letters, digits and signs of ASCII. Please check it.',
  );
}
