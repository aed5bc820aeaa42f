/** A response as an event stream (HTML, section 9.2), kept alive while nothing is sent. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { commonHeaders } from '../gate/exchange.ts';

/** Shorter than the idle timeout of most proxies. */
const keepAliveMilliseconds = 15_000;

export class EventStream {
  readonly #response: ServerResponse;
  readonly #keepAlive: NodeJS.Timeout;
  /** Shared by all that wait for the client to read. */
  #drained: Promise<void> | undefined;

  constructor(response: ServerResponse, headers: OutgoingHttpHeaders = {}) {
    this.#response = response;
    response.writeHead(200, {
      ...commonHeaders,
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
      ...headers,
    });
    this.#keepAlive = setInterval(
      () => response.write(': still at work\n\n'),
      keepAliveMilliseconds,
    ).unref();
    response.once('close', () => {
      clearInterval(this.#keepAlive);
    });
  }

  /** Resolves once the client reads. One that does not delays its own call instead of filling the memory. */
  async write(text: string): Promise<void> {
    const response = this.#response;
    if (response.destroyed || response.writableEnded || response.write(text)) return;
    this.#drained ??= new Promise((resolve) => {
      const goOn = (): void => {
        response.off('drain', goOn).off('close', goOn);
        this.#drained = undefined;
        resolve();
      };
      response.on('drain', goOn).on('close', goOn);
    });
    await this.#drained;
  }

  end(text = ''): void {
    clearInterval(this.#keepAlive);
    if (!this.#response.destroyed && !this.#response.writableEnded) this.#response.end(text);
  }
}

/** @param id With which a client resumes the stream after this event. */
export function eventOf(text: string, id?: string): string {
  return `event: message\n${id === undefined ? '' : `id: ${id}\n`}data: ${text}\n\n`;
}
