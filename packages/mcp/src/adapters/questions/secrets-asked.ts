/** Keeps secret pages open between a call that asks and its repetition. Only in this process. */
import type { Cancellation } from '../../core/context/cancellation.ts';
import type { GivenSecret } from '../../core/context/tool-context.ts';
import type { SecretPage, SecretPages, SecretRequest } from './secret-pages.ts';

interface Asked {
  readonly page: SecretPage;
  /** The secret, once it was entered. */
  given(): GivenSecret | undefined;
}

export class SecretsAsked {
  /** By the page's id. */
  readonly #asked = new Map<string, Asked>();

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
    this.#asked.set(page.id, { page, given: () => given });
    // An unanswered page is forgotten when it closes; an entered secret is kept for a limited time.
    void page.done.then((outcome) => {
      if (outcome === 'closed') this.#asked.delete(page.id);
      else setTimeout(() => this.#asked.delete(page.id), keptMs).unref();
    });
    return page;
  }

  /** Waits for the secret. Undefined if the page was closed, or belongs to another process. */
  async given(pageId: string, signal: Cancellation): Promise<GivenSecret | undefined> {
    const asked = this.#asked.get(pageId);
    if (!asked) return undefined;
    const close = () => {
      asked.page.close();
    };
    if (signal.aborted) close();
    signal.addEventListener('abort', close);
    await asked.page.done;
    signal.removeEventListener('abort', close);
    signal.throwIfAborted();
    return asked.given();
  }

  close(pageId: string): void {
    this.#asked.get(pageId)?.page.close();
  }
}

/** How long an entered secret is kept for the repeated call. */
const keptMs = 5 * 60_000;
