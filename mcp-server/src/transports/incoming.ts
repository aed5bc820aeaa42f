/** What a body holds: one JSON-RPC message, sorted before anything acts on it. */
import type { RequestId } from '../adapters/messages.ts';
import { errorCode, refusal, type Answer } from './gate/exchange.ts';

export type Incoming =
  | { readonly kind: 'request'; readonly message: IncomingRequest }
  /** A notification or a response: taken, and answered with nothing. */
  | { readonly kind: 'notice'; readonly message: IncomingNotice }
  | { readonly kind: 'invalid'; readonly answer: Answer };

export interface IncomingRequest {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> & { readonly _meta?: RequestMeta };
}

/** What a caller says about its request. */
interface RequestMeta {
  readonly [key: string]: unknown;
  readonly progressToken?: RequestId;
}

type IncomingNotice = Readonly<Record<string, unknown>>;

const maxIdLength = 200;

const batch = invalid('batches are not supported.');
const notAMessage = invalid('the body is no JSON-RPC message.');

/**
 * As strict as the SDK's own schemas, so that each request is answered: the SDK drops what it cannot read.
 *
 * @param body Parsed JSON.
 */
export function readIncoming(body: unknown): Incoming {
  if (Array.isArray(body)) return batch;
  if (!isRecord(body) || body['jsonrpc'] !== '2.0') return notAMessage;
  const { id, method, params } = body;
  if (method === undefined)
    return isResponse(body) ? { kind: 'notice', message: body } : notAMessage;
  if (typeof method !== 'string') return notAMessage;
  if (params !== undefined && !hasGoodMeta(params)) {
    return invalid('params must be an object, with a readable _meta.', isId(id) ? id : null);
  }
  if (id === undefined) return { kind: 'notice', message: body };
  if (!isId(id)) return invalid('the id must be a whole number or a short string.');
  return {
    kind: 'request',
    message: { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) },
  };
}

function invalid(words: string, id: RequestId | null = null): Incoming & { kind: 'invalid' } {
  const answer = refusal(400, errorCode.invalidRequest, `Invalid Request: ${words}`);
  return { kind: 'invalid', answer: { ...answer, body: { ...(answer.body as object), id } } };
}

function isResponse(body: Readonly<Record<string, unknown>>): boolean {
  return isId(body['id']) && (isRecord(body['result']) || isRecord(body['error']));
}

function isId(id: unknown): id is RequestId {
  return Number.isSafeInteger(id) || (typeof id === 'string' && id.length <= maxIdLength);
}

function hasGoodMeta(params: unknown): params is Readonly<Record<string, unknown>> {
  if (!isRecord(params)) return false;
  const meta = params['_meta'];
  if (meta === undefined) return true;
  if (!isRecord(meta)) return false;
  const token = meta['progressToken'];
  // Calls that belong to tasks, which this server has not.
  return (
    (token === undefined || isId(token)) &&
    meta['io.modelcontextprotocol/related-task'] === undefined
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
