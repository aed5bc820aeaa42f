/** Orders as the sample's page sends them, to `/api/generations` and as a form. */
import { randomUUID } from 'node:crypto';
import { toSafeProfile } from '@gatehouse/platform';
import { formAsk, jsonAsk, type Ask } from '@gatehouse/simulator/http';

export const submit = '/api/generations';

/** A request with an order as its body, or with whatever an attacker sends instead. */
export function orderAsk(body: unknown): Ask {
  return keyed(jsonAsk(body));
}

/** The form of Ada's page. */
export function orderForm(fields: Record<string, string>): Ask {
  return formAsk({ account: toSafeProfile({ id: 'usr_ada' }).key, ...fields });
}

/** Adds a new idempotency key: without one, the route rejects the request before it reads the body. */
export function keyed(ask: Ask): Ask {
  return { ...ask, headers: { 'idempotency-key': randomUUID(), ...ask.headers } };
}
