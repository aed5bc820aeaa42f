/** Operations that run once per idempotency key: a repetition gets the first response again. */
import type { Operation, OperationCall } from './definition.ts';
import { errorResponse, type EventsResponse, type OperationResponse } from './responses.ts';

interface Earlier {
  request: string;
  response: OperationResponse | EventsResponse;
}

/** Requests remembered of one state. The oldest are forgotten. */
const most = 2_000;

/** By person, operation and key. A reset replaces the state, and so forgets them. */
const remembered = new WeakMap<object, Map<string, Earlier>>();

export function runOperation<State>(
  operation: Operation<State>,
  call: OperationCall<State>,
): OperationResponse | EventsResponse {
  const { persona, headers, params, query, body } = call;
  const key = headers['idempotency-key'];
  if (!operation.once || typeof key !== 'string') return operation.run(call);
  const state = call.state as object;
  const known = remembered.get(state) ?? new Map<string, Earlier>();
  remembered.set(state, known);
  const name = JSON.stringify([persona.id, operation.name, key]);
  const request = JSON.stringify([params, String(query), body.toString('base64')]);
  const earlier = known.get(name);
  if (earlier) {
    return earlier.request === request
      ? earlier.response
      : errorResponse(409, 'idempotency_key_reused', 'The key belongs to another request.');
  }
  const response = operation.run(call);
  if ('status' in response && response.status < 300) known.set(name, { request, response });
  const [oldest] = known.keys();
  if (known.size > most && oldest !== undefined) known.delete(oldest);
  return response;
}
