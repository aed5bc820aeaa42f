/**
 * Streamable HTTP without sessions (M29): any process answers any request, so nothing of a caller is kept.
 *
 * The SDK's protocol is not in between: it keeps requests in a map by their ids, and a map in which much
 * comes and goes holds on to what it forgot. Collecting that took as long as answering.
 */
import { once } from 'node:events';
import { createDispatch, type Dispatch } from '../../adapters/dispatch.ts';
import type { Extra } from '../../adapters/connection.ts';
import type { RequestId, RequestMeta, ServerNotification } from '../../adapters/message-shapes.ts';
import { errorOf } from '../../adapters/protocol-error.ts';
import type { Runtime } from '../../adapters/runtime.ts';
import { LightSignal } from '../../core/context/cancellation.ts';
import { CallTiming } from '../../core/context/tool-context.ts';
import type { Endpoint } from '../gate/endpoint.ts';
import { commonHeaders, sendAnswer, type Exchange } from '../gate/exchange.ts';
import type { IncomingRequest } from '../messages/incoming.ts';

export function createStateless(runtime: Runtime): Endpoint {
  const dispatch = createDispatch(runtime, { mode: 'stateless' });
  return {
    methods: ['POST'],
    handle: (exchange, incoming) => {
      if (incoming?.kind === 'request') {
        return answerAlone(dispatch, exchange, incoming.message, () => 200);
      }
      // A cancellation names a request of another connection, which says nothing here: who cancels hangs up.
      sendAnswer(exchange, { status: 202 });
      return undefined;
    },
    // The listener ends the connections, and with them what still runs.
    close: () => Promise.resolve(),
  };
}

/**
 * Answers one request on its own exchange.
 *
 * @param statusOf The status of HTTP for an error, where nothing was said before it.
 */
export async function answerAlone(
  dispatch: Dispatch,
  exchange: Exchange,
  message: IncomingRequest,
  statusOf: (error: unknown) => number,
): Promise<void> {
  const { caller } = exchange;
  if (caller === undefined) throw new Error('The gate lets nobody in without a name');
  const call = new StatelessCall(exchange, message);
  let text: string | Buffer;
  let status = 200;
  try {
    text = answerText(message.id, await dispatch(message, caller, call));
  } catch (error) {
    status = statusOf(error);
    text = JSON.stringify({ jsonrpc: '2.0', id: message.id, error: errorOf(error) });
  }
  call.end(text, status);
}

/** Frozen results, such as a list that never changes, are written once. */
const written = new WeakMap<object, Buffer>();

function answerText(id: RequestId, result: object): string | Buffer {
  const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  if (!Object.isFrozen(result)) return `${start}${JSON.stringify(result)}}`;
  const json = written.get(result) ?? Buffer.from(JSON.stringify(result));
  written.set(result, json);
  return Buffer.concat([Buffer.from(start), json, Buffer.from('}')]);
}

/** Proxies end what is silent for long. */
const keepAliveMilliseconds = 15_000;

/** One request and its answer: JSON, or an event stream once there is something to say before the end. */
class StatelessCall implements Extra {
  readonly signal = new LightSignal();
  readonly timing = new CallTiming();
  readonly requestId: RequestId;
  readonly _meta: RequestMeta | undefined;
  readonly #exchange: Exchange;
  /** Set once the answer is an event stream. */
  #keepAlive: NodeJS.Timeout | undefined;

  constructor(exchange: Exchange, { id, params }: IncomingRequest) {
    this.#exchange = exchange;
    this.requestId = id;
    this._meta = params?._meta;
    const { response } = exchange;
    // If the answer is still owed, nobody waits for it: its work stops, upstream too.
    response.once('close', () => {
      clearInterval(this.#keepAlive);
      if (!response.writableEnded) this.signal.abort();
    });
  }

  /** Clients name it since 2025-06-18. By the specification, who names none speaks the one before. */
  get revision(): string {
    return this.#exchange.request.headers['mcp-protocol-version']?.toString() ?? '2025-03-26';
  }

  /** Progress and logs. */
  async sendNotification(notification: ServerNotification): Promise<void> {
    const { response } = this.#exchange;
    if (response.destroyed || response.writableEnded) return;
    if (this.#keepAlive === undefined) {
      response.writeHead(200, {
        ...commonHeaders,
        'content-type': 'text/event-stream',
        'x-accel-buffering': 'no',
      });
      this.#keepAlive = setInterval(
        () => response.write(': still at work\n\n'),
        keepAliveMilliseconds,
      ).unref();
    }
    const text = JSON.stringify({ jsonrpc: '2.0', ...notification });
    if (response.write(eventOf(text))) return;
    // A caller who does not read slows its own call, and fills no memory.
    await once(response, 'drain', { signal: this.signal.whole() }).catch(() => undefined);
  }

  sendRequest(): Promise<never> {
    return Promise.reject(new Error('Nobody can be asked without a session'));
  }

  end(text: string | Buffer, status: number): void {
    if (this.signal.aborted) return;
    const { response, startedAt } = this.#exchange;
    if (this.#keepAlive !== undefined) {
      clearInterval(this.#keepAlive);
      response.end(eventOf(text.toString()));
      return;
    }
    response.writeHead(status, {
      ...commonHeaders,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'server-timing': timingOf(performance.now() - startedAt, this.timing.upstreamMs),
    });
    response.end(text);
  }
}

function eventOf(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}

/** For a person who looks where the time went: browsers' tools show it, and `curl -i`. */
function timingOf(totalMs: number, upstreamMs: number): string {
  const total = `total;dur=${totalMs.toFixed(1)}`;
  return upstreamMs > 0 ? `upstream;dur=${upstreamMs.toFixed(1)}, ${total}` : total;
}
