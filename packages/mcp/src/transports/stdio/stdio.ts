/**
 * The stdio transport, the default (M28): one JSON-RPC message on each line, for the parent process. Writes only
 * protocol messages to stdout, and leaves nothing that keeps the process alive once its promise settles.
 */
import { type Readable, Writable } from 'node:stream';
import { McpServer, type Transport } from '../../adapters/mcp-server.ts';
import { shuttingDown } from '../../adapters/protocol-error.ts';
import type { Runtime } from '../../adapters/runtime.ts';
import { createModernDispatch } from '../../adapters/modern/modern-dispatch.ts';
import { RequestStates } from '../../adapters/questions/request-state.ts';
import type { SecretPages } from '../../adapters/questions/secret-pages.ts';
import type { JSONRPCMessage } from '../../adapters/sdk.ts';
import { jsonLine } from '../../core/result/format.ts';
import { faults, readIncoming, refusalOf, tooLarge, type Refusal } from '../messages/incoming.ts';
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
  const server = new McpServer(
    runtime,
    { mode: 'stdio', ...(secretPages && { secretPages }) },
    { id: 'local' },
    createModernDispatch(runtime, {
      states: new RequestStates({
        serverName: runtime.service.name,
        lifetimeMs: runtime.limits.elicitationMs,
      }),
      ...(secretPages && { secretPages }),
    }),
  );
  const maxLineBytes = options.maxLineBytes ?? 4 * 1024 * 1024;
  const transport = new StdioTransport(server, stdin, stdout, maxLineBytes);
  ending?.addEventListener('abort', () => {
    transport.endInput();
  });
  server.connect(transport);
  if (ending?.aborted) transport.endInput();
  await transport.inputEnded;
  // Without input no response can arrive, and a call that waits for one would delay the end.
  server.giveUpQuestions('The input has ended');
  runtime.subscriptions.close();
  const deadline = setTimeout(() => {
    runtime.log.warn('Calls were still running at the shutdown deadline');
    void server.cut(shuttingDown).then(transport.close);
  }, drainMs);
  await transport.idle;
  clearTimeout(deadline);
}

class StdioTransport implements Transport {
  /** Resolves when no more input will arrive. */
  readonly inputEnded: Promise<void>;
  /** Resolves when no more input will arrive and every request is answered, or when the output is broken. */
  readonly idle: Promise<void>;

  readonly #lines: LineReader;
  #unsent = 0;
  #ended = false;
  #endInput!: () => void;
  #becomeIdle!: () => void;

  constructor(
    private readonly server: McpServer,
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
        void this.send(refusalOf(tooLarge(maxLineBytes)));
      },
    });
    stdin.on('data', this.#onData).on('end', this.endInput).on('close', this.endInput);
    // A broken pipe: responses can no longer be delivered.
    stdin.on('error', this.close);
    stdout.on('error', this.close).on('close', this.close);
  }

  readonly close = (): void => {
    this.endInput();
    this.#becomeIdle();
    this.server.disconnect();
  };

  readonly endInput = (): void => {
    this.#ended = true;
    this.stdin.pause();
    this.#endInput();
    this.#checkIdle();
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

  #read(text: string | undefined): void {
    const parsed = parseJson(text);
    if ('fault' in parsed) {
      void this.send(refusalOf(parsed.fault));
      return;
    }
    const incoming = readIncoming(parsed.value);
    if (incoming.kind === 'invalid') {
      if (!incoming.isNotice) void this.send(incoming.refusal);
      return;
    }
    const { kind, message } = incoming;
    if (kind === 'request' && this.server.isRunning(message.id)) {
      // Without the id: the client would take it for the response to the request in progress.
      void this.send(refusalOf(faults.idInUse));
      return;
    }
    this.server.receive(message);
    // A cancelled call gets no response to wait for.
    queueMicrotask(this.#checkIdle);
  }

  readonly #checkIdle = (): void => {
    if (this.#ended && this.server.isIdle && this.#unsent === 0) this.#becomeIdle();
  };

  /** Resolves when the message is flushed. A broken pipe is reported by the stream's `error` event. */
  send(message: JSONRPCMessage | Refusal): Promise<void> {
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
