/** Who calls the upstream as whom: the one place that knows a credential (M31). */
import type { Caller } from './context.ts';
import { ToolError } from './errors.ts';
import type { SecretStore } from './service.ts';

export interface Credentials extends SecretStore {
  /** The request header that carries the credential, in lower case. */
  readonly header: string;
  /** The header's value: the caller's own credential, else the environment's, else none. */
  of(caller: Caller): string | undefined;
  forget(caller: Caller): void;
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

  return {
    header,
    of({ id }) {
      const value = own.get(id);
      if (value === undefined) return environmentValue;
      own.delete(id);
      own.set(id, value);
      return value;
    },
    store({ id }, secret) {
      const value = valueOf(usable(secret));
      own.delete(id);
      own.set(id, value);
      if (own.size > capacity) for (const oldest of own.keys()) if (own.delete(oldest)) break;
    },
    forget({ id }) {
      own.delete(id);
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
