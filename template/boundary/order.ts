/** Orders as the sample's page sends them, to `/api/generations` and as a form. */
import { randomUUID } from 'node:crypto';
import { toSafeProfile } from '@gatehouse/platform';
import { formRequest, jsonRequest, type RequestOptions } from '@gatehouse/simulator/http';

export const list = '/api/generations';

/** @param key of the account whose page submits: Ada's, unless another is given. */
export const submit = (key = adasKey) => `${list}?account=${key}`;

const adasKey = toSafeProfile({ id: 'usr_ada' }).key;

/** A request with an order as its body, or with whatever an attacker sends instead. */
export function orderRequest(body: unknown): RequestOptions {
  return keyed(jsonRequest(body));
}

/** The form of Ada's page. */
export function orderForm(fields: Record<string, string>): RequestOptions {
  return formRequest({ account: adasKey, ...fields });
}

/** Adds a new idempotency key: without one, the route rejects the request before it reads the body. */
export function keyed(request: RequestOptions): RequestOptions {
  return { ...request, headers: { 'idempotency-key': randomUUID(), ...request.headers } };
}
