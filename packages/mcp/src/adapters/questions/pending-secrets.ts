/** Keeps secret pages open between a call that asks and its repetition. Only in this process. */
import type { Cancellation } from '../../core/context/cancellation.ts';
import type { GivenSecret } from '../../core/context/tool-context.ts';
import type { SecretPage, SecretPages, SecretRequest } from './secret-pages.ts';

interface PendingSecret {
  readonly page: SecretPage;
  /** The secret, once it was entered. */
  given(): GivenSecret | undefined;
}

export class PendingSecrets {
  /** By the page's id. */
  readonly #pending = new Map<string, PendingSecret>();

  async open(
    pages: SecretPages,
    {
      receive,
      ...request
    }: Omit<SecretRequest, 'store'> & { readonly receive: (secret: string) => GivenSecret },
  ): Promise<SecretPage> {
    let given: GivenSecret | undefined;
    const page = await pages.open({
      ...request,
      store(secret) {
        given = receive(secret);
      },
    });
    this.#pending.set(page.id, { page, given: () => given });
    // An unanswered page is forgotten when it closes; an entered secret is kept for a limited time.
    void page.done.then((outcome) => {
      if (outcome === 'closed') this.#pending.delete(page.id);
      else setTimeout(() => this.#pending.delete(page.id), keptMs).unref();
    });
    return page;
  }

  /** Waits for the secret. Undefined if the page was closed, or belongs to another process. */
  async given(pageId: string, signal: Cancellation): Promise<GivenSecret | undefined> {
    const pending = this.#pending.get(pageId);
    if (!pending) return undefined;
    const close = () => {
      pending.page.close();
    };
    if (signal.aborted) close();
    signal.addEventListener('abort', close);
    await pending.page.done;
    signal.removeEventListener('abort', close);
    signal.throwIfAborted();
    return pending.given();
  }

  close(pageId: string): void {
    this.#pending.get(pageId)?.page.close();
  }
}

/** How long an entered secret is kept for the repeated call. */
const keptMs = 5 * 60_000;
