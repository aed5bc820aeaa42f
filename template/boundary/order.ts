/** What the sample's page asks of `/api/generations`, as its own script would. */
import { randomUUID } from 'node:crypto';
import { jsonAsk, type Ask } from '../../e2e/harness/browser/visitor-http';

export const submit = '/api/generations';

/** An order, or what an attacker sends in its place. */
export function orderAsk(body: unknown): Ask {
  return keyed(jsonAsk(body));
}

/** With a key of its own, without which nothing is looked at. */
export function keyed(ask: Ask): Ask {
  return { ...ask, headers: { 'idempotency-key': randomUUID(), ...ask.headers } };
}
