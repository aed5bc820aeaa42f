/** JSON responses of resource routes, never cached. */
import type { ApiResponse } from '../browser/api.ts';

/** `{ "error": code }` with a status. */
export function refusal(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): ApiResponse<never> {
  return json({ error: code }, status, headers) as ApiResponse<never>;
}

/** With the type of its JSON, for `useApi`. */
export function json<T>(
  value: T,
  status = 200,
  headers: Record<string, string> = {},
): ApiResponse<T> {
  return typed(
    Response.json(value, { status, headers: { ...headers, 'cache-control': 'no-store' } }),
  );
}

/** Attaches the type of the response's JSON for the caller. No effect at run time. */
export function typed<T>(response: Response): ApiResponse<T> {
  return response as ApiResponse<T>;
}
