/**
 * Pages on which a user enters a secret (M30): the interface between the adapter that asks and the transport that
 * hosts.
 */
import type { GivenSecret } from '../../core/context/tool-context.ts';

export interface SecretRequest {
  /** The text that the page shows. */
  readonly prompt: string;
  /**
   * The caller whose calls will use the secret, if callers have names. Shown on the page, so that a user whom
   * another caller lured there notices it.
   */
  readonly callerName?: string;
  /** Receives the secret, once. If it throws, the user is asked again. */
  store(secret: string): GivenSecret;
}

export interface SecretPage {
  /** The id of the elicitation. Does not reveal the page's URL. */
  readonly id: string;
  /** Unguessable and single-use. */
  readonly url: string;
  /** Resolves once: with what the secret was stored as, or without a secret when the page is closed. Never rejects. */
  readonly done: Promise<GivenSecret | undefined>;
  /** Closes the page. Later calls have no effect. */
  close(): void;
}

export interface SecretPages {
  open(request: SecretRequest): Promise<SecretPage>;
  /**
   * Finds a page by its id, until some minutes after a secret was entered: in the modern era, another request waits for
   * it than the one that asked. Undefined if the page was closed, or belongs to another process.
   */
  find(id: string): SecretPage | undefined;
}
