/** Pages for secrets that stay open between a call that asks and the one that comes again. In this process alone. */
import type { Cancellation } from '../../core/context/cancellation.ts';
import type { GivenSecret } from '../../core/context/tool-context.ts';
import type { SecretPage, SecretPages, SecretRequest } from './secret-pages.ts';

interface Asked {
  readonly page: SecretPage;
  /** What was typed into it, once it was. */
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
    // What nobody comes back for goes with its page; what was given is waited for as long.
    void page.done.then((outcome) => {
      if (outcome === 'closed') this.#asked.delete(page.id);
      else setTimeout(() => this.#asked.delete(page.id), keptMs).unref();
    });
    return page;
  }

  /** Waits for it. Undefined when the page is gone, or was opened by another process. */
  async given(pageId: string, signal: Cancellation): Promise<GivenSecret | undefined> {
    const asked = this.#asked.get(pageId);
    if (!asked) return undefined;
    const close = () => {
      asked.page.close();
    };
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

/** A client that was told to wait comes back within this. */
const keptMs = 5 * 60_000;
