/** Why the site cannot start with its store. The message is one sentence for the operator. */
export class StoreStartError extends Error {
  /** Makes the server print only the message, and exit. */
  override name = 'StartError';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}
