/** The modern era over HTTP: each POST is one request and its answer, and any process may have it. */
import { createModernDispatch, type ModernOptions } from '../../adapters/modern/modern-dispatch.ts';
import { errorOf, ProtocolError } from '../../adapters/protocol-error.ts';
import type { Runtime } from '../../adapters/runtime.ts';
import { sendAnswer, type Exchange } from '../gate/exchange.ts';
import type { IncomingRequest } from '../messages/incoming.ts';
import { answerAlone } from '../sessions/stateless.ts';
import { checkRequestHeaders } from './request-headers.ts';

/** Takes one request that says that it is of this era, and sees to its answer. */
export type AnswerModern = (exchange: Exchange, message: IncomingRequest) => Promise<void> | void;

export function createModern(runtime: Runtime, options: ModernOptions): AnswerModern {
  const dispatch = createModernDispatch(runtime, options);
  return (exchange, message) => {
    try {
      checkRequestHeaders(exchange.request, message);
    } catch (error) {
      sendError(exchange, message, error);
      return undefined;
    }
    return answerAlone(dispatch, exchange, message, statusOf);
  };
}

/** An error of the request itself, before any of its work. */
export function sendError(exchange: Exchange, { id }: IncomingRequest, error: unknown): void {
  const body = { jsonrpc: '2.0', id, error: errorOf(error) };
  sendAnswer(exchange, { status: statusOf(error), body });
}

function statusOf(error: unknown): number {
  return error instanceof ProtocolError ? error.httpStatus : 200;
}
