/** The modern era over HTTP: each POST is one self-contained request, which any process can answer. */
import { createModernDispatch, type ModernOptions } from '../../adapters/modern/modern-dispatch.ts';
import { errorOf, ProtocolError } from '../../adapters/protocol-error.ts';
import type { Runtime } from '../../adapters/runtime.ts';
import { sendResponse, type Exchange } from '../gate/exchange.ts';
import type { IncomingRequest } from '../messages/incoming.ts';
import { respondAlone } from '../sessions/stateless.ts';
import { checkRequestHeaders } from './request-headers.ts';

/** Handles a request that declares this era, and sends its response. */
export type HandleModern = (exchange: Exchange, message: IncomingRequest) => Promise<void> | void;

export function createModern(runtime: Runtime, options: ModernOptions): HandleModern {
  const dispatch = createModernDispatch(runtime, options);
  return (exchange, message) => {
    try {
      checkRequestHeaders(exchange.request, message);
    } catch (error) {
      sendError(exchange, message, error);
      return undefined;
    }
    return respondAlone(dispatch, exchange, message, statusOf);
  };
}

/** Sends an error of the request itself, found before it is dispatched. */
export function sendError(exchange: Exchange, { id }: IncomingRequest, error: unknown): void {
  const body = { jsonrpc: '2.0', id, error: errorOf(error) };
  sendResponse(exchange, { status: statusOf(error), body });
}

function statusOf(error: unknown): number {
  return error instanceof ProtocolError ? error.httpStatus : 200;
}
