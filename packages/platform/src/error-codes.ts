/**
 * The error codes of failed operations (W33). A site adds those of its own operations:
 *
 *     declare module '@gatehouse/platform' {
 *       interface PlatformErrorCodes {
 *         post_locked: true;
 *       }
 *     }
 */
export interface PlatformErrorCodes {
  unauthorized: true;
  account_changed: true;
  insufficient_credits: true;
  forbidden: true;
  not_found: true;
  not_ready: true;
  workspace_gone: true;
  idempotency_key_required: true;
  idempotency_key_reused: true;
  range_not_satisfiable: true;
  body_too_large: true;
  unsupported_media_type: true;
  malformed_form: true;
  malformed_json: true;
  too_many_running: true;
  rate_limited: true;
  upstream_unavailable: true;
}

export type PlatformErrorCode = keyof PlatformErrorCodes;
