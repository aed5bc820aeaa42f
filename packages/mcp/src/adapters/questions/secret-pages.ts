/**
 * Pages on which a user enters a secret (M30): the interface between the adapter that asks and the transport that
 * hosts.
 */

export interface SecretRequest {
  /** The text that the page shows. */
  readonly prompt: string;
  /**
   * The caller whose calls will use the secret, if callers have names. Shown on the page, so that a user whom
   * another caller lured there notices it.
   */
  readonly callerName?: string;
  /** Receives the secret, once. */
  store(secret: string): void;
}

export interface SecretPage {
  /** The id of the elicitation. Does not reveal the page's URL. */
  readonly id: string;
  /** Unguessable and single-use. */
  readonly url: string;
  /** Resolves once: `stored` with the secret, or `closed` without. Never rejects. */
  readonly done: Promise<'stored' | 'closed'>;
  /** Closes the page. Later calls have no effect. */
  close(): void;
}

export interface SecretPages {
  open(request: SecretRequest): Promise<SecretPage>;
}
