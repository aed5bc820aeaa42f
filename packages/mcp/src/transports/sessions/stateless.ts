/**
 * Streamable HTTP without sessions (M29): any process can answer any request, so nothing is kept for a client.
 *
 * Nor are requests kept by their id, as a connection does: a map with a high turnover retains removed entries, and
 * collecting them took as long as answering the requests.
 */
import { createDispatch, type Dispatch } from '../../adapters/dispatch.ts';
import type { Extra, Outgoing } from '../../adapters/connection.ts';
import { errorOf, shuttingDown } from '../../adapters/protocol-error.ts';
import type { Runtime } from '../../adapters/runtime.ts';
import type { RequestId, RequestMeta } from '../../adapters/sdk.ts';
import { LightSignal } from '../../core/context/cancellation.ts';
import { CallTiming } from '../../core/context/tool-context.ts';
import { jsonLine } from '../../core/result/format.ts';
import type { Endpoint } from '../gate/endpoint.ts';
import { commonHeaders, sendResponse, type Exchange } from '../gate/exchange.ts';
import { EventStream, eventOf } from './event-stream.ts';
import type { IncomingRequest } from '../messages/incoming.ts';

export function createStateless(runtime: Runtime): Endpoint {
  const dispatch = createDispatch(runtime, { mode: 'stateless' });
  return {
    methods: ['POST'],
    handle: (exchange, incoming) => {
      if (incoming?.kind === 'request') {
        return respondAlone(dispatch, exchange, incoming.message, () => 200);
      }
      // A cancellation refers to a request of another connection, and has no effect here: clients cancel by
      // disconnecting.
      sendResponse(exchange, { status: 202 });
      return undefined;
    },
    // The HTTP server ends the connections, which aborts the running calls.
    close: () => Promise.resolve(),
  };
}

/**
 * Answers one request on its own HTTP exchange.
 *
 * @param statusOf Returns the HTTP status for an error, if no event was sent before it.
 */
export async function respondAlone(
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
    text = responseText(message.id, await dispatch(message, caller, call));
  } catch (error) {
    status = statusOf(error);
    text = jsonLine({ jsonrpc: '2.0', id: message.id, error: errorOf(error) });
  }
  call.end(text, status);
}

/** Serialized results. Frozen ones, such as a list that never changes, are serialized once. */
const written = new WeakMap<object, Buffer>();

function responseText(id: RequestId, result: object): string | Buffer {
  const start = `{"jsonrpc":"2.0","id":${jsonLine(id)},"result":`;
  if (!Object.isFrozen(result)) return `${start}${jsonLine(result)}}`;
  const json = written.get(result) ?? Buffer.from(jsonLine(result));
  written.set(result, json);
  return Buffer.concat([Buffer.from(start), json, Buffer.from('}')]);
}

/** One request and its response: JSON, or an event stream if a notification precedes the result. */
class StatelessCall implements Extra {
  readonly signal = new LightSignal();
  readonly timing = new CallTiming();
  readonly requestId: RequestId;
  readonly _meta: RequestMeta | undefined;
  readonly #exchange: Exchange;
  /** Set once the response is an event stream. */
  #stream: EventStream | undefined;

  constructor(exchange: Exchange, { id, params }: IncomingRequest) {
    this.#exchange = exchange;
    this.requestId = id;
    this._meta = params?._meta;
    const { response } = exchange;
    exchange.cut = () => {
      this.end(jsonLine({ jsonrpc: '2.0', id, error: shuttingDown }), 503);
      this.signal.abort();
    };
    // If the response is still pending, the client has disconnected: abort the call, including its upstream
    // requests.
    response.once('close', () => {
      if (!response.writableEnded) this.signal.abort();
    });
  }

  /** Clients send the header since 2025-06-18. By the specification, its absence means the revision before. */
  get revision(): string {
    return this.#exchange.request.headers['mcp-protocol-version']?.toString() ?? '2025-03-26';
  }

  async sendNotification(notification: Outgoing): Promise<void> {
    const { response } = this.#exchange;
    if (response.destroyed || response.writableEnded) return;
    this.#stream ??= new EventStream(response);
    await this.#stream.write(eventOf(jsonLine({ jsonrpc: '2.0', ...notification })));
  }

  sendRequest(): Promise<never> {
    return Promise.reject(new Error('Nobody can be asked without a session'));
  }

  end(text: string | Buffer, status: number): void {
    if (this.signal.aborted) return;
    const { response, startedAt } = this.#exchange;
    if (this.#stream) {
      this.#stream.end(eventOf(text.toString()));
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

/** Returns a `Server-Timing` header, which browsers' developer tools and `curl -i` show. */
function timingOf(totalMs: number, upstreamMs: number): string {
  const total = `total;dur=${totalMs.toFixed(1)}`;
  return upstreamMs > 0 ? `upstream;dur=${upstreamMs.toFixed(1)}, ${total}` : total;
}
