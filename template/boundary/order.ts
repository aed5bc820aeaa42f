/** Requests to `/api/generations` as the sample's page sends them. */
import { randomUUID } from 'node:crypto';
import { jsonAsk, type Ask } from '@gatehouse/simulator/http';

export const submit = '/api/generations';

/** A request with an order as its body, or with whatever an attacker sends instead. */
export function orderAsk(body: unknown): Ask {
  return keyed(jsonAsk(body));
}

/** Adds a new idempotency key: without one, the route rejects the request before it reads the body. */
export function keyed(ask: Ask): Ask {
  return { ...ask, headers: { 'idempotency-key': randomUUID(), ...ask.headers } };
}
