/** Validates and classifies an incoming JSON-RPC message, for every transport. */
import { isRecord } from '../../adapters/modern/envelope.ts';
import { codes, type Fault } from '../../adapters/protocol-error.ts';
import type { JSONRPCMessage, RequestId, RequestMeta } from '../../adapters/sdk.ts';
import { isLongerThan } from '../../core/result/text-length.ts';

export type Incoming =
  | { readonly kind: 'request'; readonly message: IncomingRequest }
  /** A notification or a response: accepted without a response. */
  | { readonly kind: 'notice'; readonly message: JSONRPCMessage }
  | {
      readonly kind: 'invalid';
      readonly refusal: Refusal;
      /** Whether it was meant as a notification or a response, to which stdio must not respond. */
      readonly isNotice: boolean;
    };

export interface IncomingRequest {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> & { readonly _meta?: RequestMeta };
}

/** An error for an invalid request. Its id is null if none can be read (JSON-RPC 2.0, section 5). */
export interface Refusal {
  readonly jsonrpc: '2.0';
  readonly id: RequestId | null;
  readonly error: Fault;
}

const invalidRequest = (words: string): Fault => ({
  code: codes.invalidRequest,
  message: `Invalid Request: ${words}.`,
});

/**
 * Deeper than any valid message. Far deeper values overflow the stack in `JSON.stringify` and in recursive
 * functions.
 */
export const maxDepth = 100;

/** Longer ids are not echoed. */
const maxIdLength = 200;

/**
 * What can be wrong with a message, apart from its size ({@link tooLarge}). No text repeats any of the message: only
 * its id is sent back.
 */
export const faults = {
  notUtf8: { code: codes.parseError, message: 'Parse error: this is not UTF-8.' },
  notJson: { code: codes.parseError, message: 'Parse error: this is not JSON.' },
  tooDeep: invalidRequest(`nested deeper than ${maxDepth} levels`),
  batch: invalidRequest('batches are not supported'),
  notAMessage: invalidRequest('this is no JSON-RPC message'),
  params: invalidRequest('params must be an object, with a readable _meta'),
  id: invalidRequest(
    `the id must be a whole number or a string of at most ${maxIdLength} characters`,
  ),
  /** The earlier request could not be told from it: neither its response nor its cancellation. */
  idInUse: invalidRequest('a request with this id is in progress'),
} as const;

export function tooLarge(maxBytes: number): Fault {
  return invalidRequest(`a message may have ${maxBytes} bytes`);
}

export function refusalOf(error: Fault, id: unknown = null): Refusal {
  return { jsonrpc: '2.0', id: isId(id) ? id : null, error };
}

/**
 * As strict as the SDK's own schemas. Fields that JSON-RPC does not define are removed.
 *
 * @param value Parsed JSON.
 */
export function readIncoming(value: unknown): Incoming {
  if (Array.isArray(value)) return invalid(faults.batch);
  if (!isRecord(value)) return invalid(faults.notAMessage);
  const { jsonrpc, id, method, params } = value;
  if (method === undefined && ('result' in value || 'error' in value)) return readResponse(value);
  if (jsonrpc !== '2.0' || typeof method !== 'string') return invalid(faults.notAMessage, id);
  const isNotice = id === undefined;
  if (params !== undefined && !hasGoodMeta(params)) return invalid(faults.params, id, isNotice);
  const called = { method, ...(params !== undefined && { params }) };
  if (isNotice) return { kind: 'notice', message: { jsonrpc, ...called } };
  return isId(id) ? { kind: 'request', message: { jsonrpc, id, ...called } } : invalid(faults.id);
}

function readResponse({ jsonrpc, id, result, error }: Record<string, unknown>): Incoming {
  if (jsonrpc !== '2.0' || !isId(id)) return invalid(faults.notAMessage, null, true);
  if (isRecord(result)) return { kind: 'notice', message: { jsonrpc, id, result } };
  if (!isRecord(error)) return invalid(faults.notAMessage, null, true);
  const { code, message, data } = error;
  return Number.isSafeInteger(code) && typeof message === 'string'
    ? { kind: 'notice', message: { jsonrpc, id, error: { code: Number(code), message, data } } }
    : invalid(faults.notAMessage, null, true);
}

function invalid(fault: Fault, id?: unknown, isNotice = false): Incoming {
  return { kind: 'invalid', refusal: refusalOf(fault, id), isNotice };
}

function isId(id: unknown): id is RequestId {
  return Number.isSafeInteger(id) || (typeof id === 'string' && !isLongerThan(id, maxIdLength));
}

function hasGoodMeta(params: unknown): params is NonNullable<IncomingRequest['params']> {
  if (!isRecord(params)) return false;
  const meta = params['_meta'];
  if (meta === undefined) return true;
  if (!isRecord(meta)) return false;
  const token = meta['progressToken'];
  // Methods of tasks, which this server does not support.
  return (
    (token === undefined || isId(token)) &&
    meta['io.modelcontextprotocol/related-task'] === undefined
  );
}
