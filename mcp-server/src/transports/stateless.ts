/**
 * Streamable HTTP without sessions (M29): any process answers any request, so nothing of a caller is kept.
 * One protocol server serves all requests at once, over a transport that gives each its own inner id.
 */
import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import type {
  JSONRPCMessage,
  MessageExtraInfo,
  RequestId,
  Transport,
  TransportSendOptions,
} from '../adapters/messages.ts';
import type { Runtime } from '../adapters/runtime.ts';
import { createMcpServer } from '../adapters/sdk-server.ts';
import type { Caller } from '../core/context.ts';
import { upstreamMilliseconds } from '../core/upstream.ts';
import type { Endpoint } from './endpoint.ts';
import { accepts } from './gate/accept.ts';
import { commonHeaders, sendAnswer, type Exchange } from './gate/exchange.ts';
import { readIncoming, type IncomingRequest } from './incoming.ts';

/** One request under way. */
interface Call {
  readonly exchange: Exchange;
  readonly caller: Caller;
  /** The caller's own id. Two callers may use the same. */
  readonly id: RequestId;
  /** The SDK's, known once the call has begun. */
  signal?: AbortSignal;
  /** Set once the answer is an event stream. */
  keepAlive?: NodeJS.Timeout;
}

export async function createStateless(runtime: Runtime): Promise<Endpoint> {
  const transport = new SharedTransport();
  const server = createMcpServer(runtime, {
    mode: 'stateless',
    callerOf: ({ requestId, signal }) => transport.begin(requestId, signal),
  });
  await server.connect(transport);
  return {
    methods: ['POST'],
    handle: (exchange) => {
      const incoming = readIncoming(exchange.body);
      if (incoming.kind === 'request') transport.receive(exchange, incoming.message);
      else if (incoming.kind === 'invalid') sendAnswer(exchange, incoming.answer);
      // A cancellation names a request by the caller's id, which says nothing here: who cancels hangs up.
      else sendAnswer(exchange, { status: 202 });
    },
    close: () => server.close(),
  };
}

class SharedTransport implements Transport {
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #calls = new Map<RequestId, Call>();
  /** Never 0, which the SDK does not cancel. */
  #lastId = 0;

  async start(): Promise<void> {
    // The listener is the gate's.
  }

  close(): Promise<void> {
    this.#calls.clear();
    this.onclose?.();
    return Promise.resolve();
  }

  receive(exchange: Exchange, message: IncomingRequest): void {
    const { caller, response } = exchange;
    if (caller === undefined) throw new Error('The gate lets nobody in without a name');
    const innerId = (this.#lastId += 1);
    this.#calls.set(innerId, { exchange, caller, id: message.id });
    response.once('close', () => {
      this.#cancel(innerId);
    });
    this.onmessage?.({ ...message, id: innerId });
  }

  /** The adapter asks who calls. */
  begin(innerId: RequestId, signal: AbortSignal): Caller {
    const call = this.#calls.get(innerId);
    if (!call) throw new Error('The caller is gone');
    call.signal = signal;
    return call.caller;
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message) {
      if ('id' in message)
        return Promise.reject(new Error('Nobody can be asked without a session'));
      const call = this.#calls.get(options?.relatedRequestId ?? 0);
      return call ? notify(call, message) : Promise.resolve();
    }
    const innerId = message.id ?? 0;
    const call = this.#calls.get(innerId);
    this.#calls.delete(innerId);
    if (call) answer(call, textOf(message, call.id));
    return Promise.resolve();
  }

  /** The connection ended. If the answer is still owed, nobody waits for it: its work stops, upstream too. */
  #cancel(innerId: number): void {
    const call = this.#calls.get(innerId);
    if (!call) return;
    this.#calls.delete(innerId);
    clearInterval(call.keepAlive);
    this.onmessage?.({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: innerId, reason: 'The connection was closed' },
    });
  }
}

/** Proxies end what is silent for long. */
const keepAliveMilliseconds = 15_000;

/** Progress and logs turn the answer into an event stream, for a caller who takes one. */
async function notify(call: Call, message: JSONRPCMessage): Promise<void> {
  const { request, response } = call.exchange;
  if (call.keepAlive === undefined) {
    if (!accepts(request.headers.accept, 'text/event-stream')) return;
    response.writeHead(200, {
      ...commonHeaders,
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
    call.keepAlive = setInterval(
      () => response.write(': still at work\n\n'),
      keepAliveMilliseconds,
    );
    call.keepAlive.unref();
  }
  if (!response.write(eventOf(JSON.stringify(message)))) await drained(response);
}

/** A caller who does not read slows its own call, and fills no memory. */
async function drained(response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort();
  });
  await once(response, 'drain', { signal: gone.signal }).catch(() => undefined);
}

function answer(call: Call, text: string): void {
  const { response } = call.exchange;
  if (call.keepAlive !== undefined) {
    clearInterval(call.keepAlive);
    response.end(eventOf(text));
    return;
  }
  response.writeHead(200, {
    ...commonHeaders,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'server-timing': timingOf(call),
  });
  response.end(text);
}

function eventOf(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}

/** For a person who looks where the time went: browsers' tools show it, and `curl -i`. */
function timingOf({ exchange, signal }: Call): string {
  const total = `total;dur=${(performance.now() - exchange.startedAt).toFixed(1)}`;
  const upstream = signal ? upstreamMilliseconds(signal) : 0;
  return upstream > 0 ? `upstream;dur=${upstream.toFixed(1)}, ${total}` : total;
}

/** Frozen results, such as a list that never changes, are written once. */
const written = new WeakMap<object, string>();

/** The message as JSON, under the caller's id. */
function textOf(message: JSONRPCMessage, id: RequestId): string {
  if (!('result' in message) || !Object.isFrozen(message.result)) {
    return JSON.stringify({ ...message, id });
  }
  let result = written.get(message.result);
  if (result === undefined) {
    result = JSON.stringify(message.result);
    written.set(message.result, result);
  }
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}
