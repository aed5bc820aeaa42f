/**
 * The stdio transport, the default (M28): one JSON-RPC message on each line, for the parent process. Writes only
 * protocol messages to stdout, and leaves nothing that keeps the process alive once its promise settles.
 */
import { type Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, RequestId, Transport } from '../../adapters/message-shapes.ts';
import { codes, shuttingDown } from '../../adapters/protocol-error.ts';
import type { Runtime } from '../../adapters/runtime.ts';
import { createModernDispatch } from '../../adapters/modern/modern-dispatch.ts';
import { createRequestStates } from '../../adapters/questions/request-state.ts';
import { createMcpServer } from '../../adapters/sdk-server.ts';
import type { SecretPages } from '../../adapters/questions/secret-pages.ts';
import { jsonLine } from '../../core/result/format.ts';
import {
  cancelledBy,
  faults,
  readIncoming,
  refusalOf,
  tooLarge,
  type Refusal,
} from '../messages/incoming.ts';
import { parseJson } from '../messages/json-text.ts';
import { LineReader } from './line-reader.ts';

export interface StdioOptions {
  readonly runtime: Runtime;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly secretPages?: SecretPages;
  /** Stops reading, like the end of the input. */
  readonly ending?: AbortSignal;
  /** How long running calls may take to finish after the input has ended, in milliseconds. */
  readonly drainMs?: number;
  /** Maximum length of a line in bytes. A longer line is rejected and not buffered. */
  readonly maxLineBytes?: number;
}

/** Serves until the input ends, the output breaks or `ending` aborts. Then waits for running calls. */
export async function runStdio(options: StdioOptions): Promise<void> {
  const { runtime, stdin, stdout, secretPages, ending, drainMs = 10_000 } = options;
  const transport = new StdioTransport(stdin, stdout, options.maxLineBytes ?? 4 * 1024 * 1024);
  const server = createMcpServer(
    runtime,
    { mode: 'stdio', ...(secretPages && { secretPages }) },
    { id: 'local' },
    createModernDispatch(runtime, {
      states: createRequestStates({
        serverName: runtime.service.name,
        lifetimeMs: runtime.limits.elicitationMs,
      }),
      ...(secretPages && { secretPages }),
    }),
  );
  ending?.addEventListener('abort', () => {
    transport.endInput();
  });
  await server.connect(transport);
  if (ending?.aborted) transport.endInput();
  await transport.inputEnded;
  runtime.subscriptions.close();
  const deadline = setTimeout(() => {
    runtime.log.warn('Calls were still running at the shutdown deadline');
    void transport.cutRunning().then(() => server.close());
  }, drainMs);
  await transport.idle;
  clearTimeout(deadline);
}

class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  /** Resolves when no more input will arrive. */
  readonly inputEnded: Promise<void>;
  /** Resolves when no more input will arrive and every request is answered, or when the output is broken. */
  readonly idle: Promise<void>;

  readonly #lines: LineReader;
  readonly #running = new Set<RequestId>();
  /** Messages that are not flushed yet. */
  #unsent = 0;
  /** The server's own requests without a response yet: questions to the user. */
  readonly #sent = new Set<RequestId>();
  #ended = false;
  /** Whether what was running has its answer, an error. */
  #isCut = false;
  #endInput!: () => void;
  #becomeIdle!: () => void;

  constructor(
    private readonly stdin: Readable,
    private readonly stdout: Writable,
    maxLineBytes: number,
  ) {
    this.inputEnded = new Promise((resolve) => (this.#endInput = resolve));
    this.idle = new Promise((resolve) => (this.#becomeIdle = resolve));
    this.#lines = new LineReader(maxLineBytes, {
      line: (text) => {
        this.#read(text);
      },
      tooLong: () => {
        this.#refuse(refusalOf(tooLarge(maxLineBytes)));
      },
    });
  }

  start(): Promise<void> {
    this.stdin.on('data', this.#onData).on('end', this.endInput).on('close', this.endInput);
    // A broken pipe: responses can no longer be delivered.
    this.stdin.on('error', this.#onBroken);
    this.stdout.on('error', this.#onBroken).on('close', this.#onBroken);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message && 'id' in message) {
      this.#sent.add(message.id);
      // Later, because the SDK expects no response before the request is sent.
      if (this.#ended) setImmediate(this.#giveUpQuestions);
    }
    // The server's own requests have an id as well; only a response has no method. Before the flush: the client can
    // have read the response, and use the id again.
    if (!('method' in message) && message.id !== undefined) {
      if (this.#isCut) return Promise.resolve();
      this.#running.delete(message.id);
    }
    return this.#write(message);
  }

  close(): Promise<void> {
    this.endInput();
    this.#becomeIdle();
    this.onclose?.();
    return Promise.resolve();
  }

  /** Answers every running request with an error, and resolves when the client can have it. */
  async cutRunning(): Promise<void> {
    this.#isCut = true;
    await Promise.all(
      [...this.#running].map((id) => this.#write({ jsonrpc: '2.0', id, error: shuttingDown })),
    );
    this.#running.clear();
  }

  readonly endInput = (): void => {
    this.#ended = true;
    this.stdin.pause();
    this.#endInput();
    this.#giveUpQuestions();
    this.#checkIdle();
  };

  /** Without input no response can arrive, and a call that waits for one would delay the end. */
  readonly #giveUpQuestions = (): void => {
    const error = { code: codes.internalError, message: 'The input has ended' };
    for (const id of this.#sent) this.onmessage?.({ jsonrpc: '2.0', id, error });
    this.#sent.clear();
  };

  readonly #onData = (chunk: Buffer): void => {
    this.#lines.push(chunk);
    // Backpressure: input is not read while the client does not read its responses.
    if (!this.stdout.writableNeedDrain) return;
    this.stdin.pause();
    this.stdout.once('drain', () => {
      if (!this.#ended) this.stdin.resume();
    });
  };

  readonly #onBroken = (): void => {
    void this.close();
  };

  #read(text: string | undefined): void {
    const parsed = parseJson(text);
    if ('fault' in parsed) {
      this.#refuse(refusalOf(parsed.fault));
      return;
    }
    const incoming = readIncoming(parsed.value);
    if (incoming.kind === 'invalid') {
      if (!incoming.isNotice) this.#refuse(incoming.refusal);
      return;
    }
    const { kind, message } = incoming;
    if (kind === 'request') {
      if (this.#running.has(message.id)) {
        // Without the id: the client would take it for the response to the request in progress.
        this.#refuse(refusalOf(faults.idInUse));
        return;
      }
      this.#running.add(message.id);
    } else if (!('method' in message) && message.id !== undefined) this.#sent.delete(message.id);
    this.onmessage?.(message);
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) this.#forget(cancelled);
  }

  /** A cancelled call gets no response to wait for. */
  #forget(id: RequestId): void {
    // Once the SDK has cancelled the call: until then, a request with the same id would be cancelled in its place.
    queueMicrotask(() => {
      this.#running.delete(id);
      this.#checkIdle();
    });
  }

  #checkIdle(): void {
    if (this.#ended && this.#running.size === 0 && this.#unsent === 0) this.#becomeIdle();
  }

  #refuse(refusal: Refusal): void {
    void this.#write(refusal);
  }

  /** Resolves when the message is flushed. A broken pipe is reported by the stream's `error` event. */
  #write(message: JSONRPCMessage | Refusal): Promise<void> {
    this.#unsent += 1;
    return new Promise((resolve) => {
      this.stdout.write(`${jsonLine(message)}\n`, () => {
        this.#unsent -= 1;
        this.#checkIdle();
        resolve();
      });
    });
  }
}

/**
 * Reserves stdout for the protocol: anything else that a tool or a library writes there goes to stderr from now on.
 * Call it once.
 */
export function takeStdout(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  const output = new Writable({
    write(bytes: Buffer, _encoding, done) {
      write(bytes, done);
    },
  });
  process.stdout.on('error', (error: Error) => output.destroy(error));
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return output;
}
