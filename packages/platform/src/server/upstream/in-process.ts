/** An upstream in this process, for the offline demo: the same calls as over HTTP, without a socket. */
import { Readable } from 'node:stream';
import { Dispatcher } from 'undici';
import { upstreamAt, type Upstream } from './upstream.ts';

/** Handles a request to the internal address, whose host is meaningless. */
export type InProcessHandler = (request: Request) => Promise<Response>;

export function createInProcessUpstream(handle: InProcessHandler): Upstream {
  const dispatcher = new InProcessDispatcher(handle);
  return upstreamAt((path) => ({ dispatcher, origin: 'http://platform.invalid', path }));
}

/** Takes the place of undici's connections, so that limits, deadlines and aborts are those of every call. */
class InProcessDispatcher extends Dispatcher {
  readonly #handle: InProcessHandler;

  constructor(handle: InProcessHandler) {
    super();
    this.#handle = handle;
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandlers,
  ): boolean {
    const stop = new AbortController();
    const { signal } = stop;
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
    handler.onConnect?.((error) => {
      stop.abort(error);
    });
    Promise.race([aborted, this.#exchange(options, handler, signal)])
      .then(() => handler.onComplete?.([]))
      .catch((error: unknown) => handler.onError?.(error as Error))
      .finally(() => {
        if (options.body instanceof Readable) options.body.destroy();
      });
    return true;
  }

  /** Resolves when the response has been read to its end. */
  async #exchange(
    { origin, path, method, headers, body }: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandlers,
    signal: AbortSignal,
  ): Promise<void> {
    const request = new Request(`${String(origin)}${path}`, {
      method,
      headers: headers as Record<string, string>,
      signal,
      // Not `Readable.toWeb`, which makes an unread rest an error of the call.
      body: (body instanceof Readable
        ? body.iterator({ destroyOnReturn: false })
        : body) as BodyInit,
      duplex: 'half',
    });
    const response = await this.#handle(request);
    const reader = response.body?.getReader();
    signal.addEventListener('abort', () => void reader?.cancel().catch(() => undefined));
    signal.throwIfAborted();

    let resume: () => void = () => undefined;
    const rawHeaders = [...response.headers].flat().map((text) => Buffer.from(text));
    handler.onResponseStarted?.();
    handler.onHeaders?.(
      response.status,
      rawHeaders,
      () => {
        resume();
      },
      '',
    );
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      signal.throwIfAborted();
      if (done) return;
      const resumed = new Promise<void>((resolve) => (resume = resolve));
      if (handler.onData?.(Buffer.from(value)) === false) await resumed;
    }
  }
}
