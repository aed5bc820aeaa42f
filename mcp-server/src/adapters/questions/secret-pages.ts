/** Pages on which a person gives a secret (M30): the agreement between an adapter that asks and a transport that hosts. */

export interface SecretRequest {
  /** What the person is asked for. */
  readonly prompt: string;
  /** Whose calls will use the secret, where callers have names: who was led here by another sees it. */
  readonly callerName?: string;
  /** Takes the secret, once. */
  store(secret: string): void;
}

export interface SecretPage {
  /** The elicitation's id. Says nothing of the page's address. */
  readonly id: string;
  /** Unguessable, used once. */
  readonly url: string;
  /** Settles once: the secret is stored, or the page is gone without. Never rejects. */
  readonly done: Promise<'stored' | 'closed'>;
  /** Takes the page away. Later calls do nothing. */
  close(): void;
}

export interface SecretPages {
  open(request: SecretRequest): Promise<SecretPage>;
}
