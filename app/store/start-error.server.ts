/** Why the site cannot start with its store. Each is one sentence for whoever runs it. */
export class StoreStartError extends Error {
  /** The server prints its message alone, and ends. */
  override name = 'StartError';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}
