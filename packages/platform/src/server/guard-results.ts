/** What the guard returns, and what routes make of it (W07, W08, W10, W11). */
import type { ApiResponse } from '@gatehouse/frame/browser';
import type { PlatformErrorCode } from '../error-codes.ts';
import { toSafeProfile, type UserState } from '../profile.ts';

declare const passed: unique symbol;

/** Made only by `checkPlatformUser`. `user` is null when the body is not JSON (W08). */
export interface PassedGuard {
  readonly ok: true;
  readonly user: unknown;
  readonly [passed]: true;
}

/** W07: the upstream status and its JSON body, or null. */
export interface FailedGuard {
  readonly ok: false;
  readonly status: number;
  readonly body: unknown;
}

export type GuardResult = PassedGuard | FailedGuard;

/** W10: the upstream status and the upstream body as JSON. */
export function guardFailureResponse(guard: FailedGuard): ApiResponse<never> {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  // Remix requires a `Location` on redirects, and the platform's is never relayed.
  const status = [301, 302, 303, 307, 308].includes(guard.status) ? 502 : guard.status;
  // `Response` throws for a 304 with a body.
  const response = new Response(status === 304 ? null : toJson(guard.body), { status, headers });
  return response as ApiResponse<never>;
}

/** A failed guard as the site's own status and code (W11). */
export function refusalOf(guard: FailedGuard): { status: number; code: PlatformErrorCode } {
  return {
    status: guard.status < 400 ? 502 : guard.status,
    code: guardCodes[guard.status] ?? 'upstream_unavailable',
  };
}

const guardCodes: Record<number, PlatformErrorCode> = {
  401: 'unauthorized',
  403: 'forbidden',
  429: 'rate_limited',
};

/** What pages may learn from a guard's result (W20). */
export function userStateOf(guard: GuardResult): UserState {
  if (guard.ok) return { status: 'signed-in', profile: toSafeProfile(guard.user) };
  return { status: guard.status === 401 ? 'signed-out' : 'unavailable' };
}

/** `null` for a value nested too deeply to serialise. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return 'null';
  }
}
