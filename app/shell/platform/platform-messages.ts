/** The message for each error code that an operation can fail with (W33). */
import type { PlatformErrorCode } from '@gatehouse/platform';
import type { OwnErrorCode } from '~/platform/error-codes';
import * as messages from '~/platform/error-messages';

const common = {
  unauthorized: 'Your session has ended. Sign in again to continue.',
  account_changed: 'A different account is signed in now. Check the page before you submit again.',
  insufficient_credits: 'You do not have enough credits for this.',
  forbidden: 'Your account does not have permission to do this.',
  not_found: 'That could not be found.',
  not_ready: 'This is not finished yet.',
  workspace_gone: 'You no longer have access to this workspace. Choose another one.',
  idempotency_key_required: 'This could not be submitted safely. Reload the page and try again.',
  idempotency_key_reused: 'This was already submitted with different content. Reload the page.',
  range_not_satisfiable: 'That part of the file does not exist.',
  body_too_large: 'This file is too large.',
  malformed_form: 'The form did not arrive completely. Try again.',
  malformed_json: 'The request did not arrive completely. Try again.',
  unsupported_media_type: 'The platform does not accept this type of file.',
  too_many_running: 'Too many generations are running. Wait for one to finish.',
  rate_limited: 'Too many requests. Wait a moment and try again.',
  upstream_unavailable: 'The platform is not responding. Wait a moment and try again.',
};

export const platformMessages: Record<PlatformErrorCode, string> = {
  ...common,
  ...(Object.assign({}, ...Object.values(messages)) as Record<OwnErrorCode, string>),
};

/**
 * @param code of an `/api/` response. A code that is not the platform's gets a general message: give
 *   codes of your own a message where you show them.
 */
export function messageFor(code: string): string {
  if (code === 'connection_lost') return 'The connection was lost. Try again.';
  if (code === 'unexpected_response') return platformMessages.upstream_unavailable;
  return isKnown(code)
    ? platformMessages[code]
    : 'That did not work. Reload the page and try again.';
}

function isKnown(code: string): code is PlatformErrorCode {
  return Object.hasOwn(platformMessages, code);
}
