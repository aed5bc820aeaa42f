/** What a visitor reads when an operation fails. One line for each code the site gives (W33). */
import type { PlatformErrorCode } from '~/platform/error-codes';

export const platformMessages: Record<PlatformErrorCode, string> = {
  unauthorized: 'Your session has ended. Sign in again to go on.',
  account_changed: 'Somebody else is signed in by now. Look at the page again before you send.',
  insufficient_credits: 'You have no credits left for this.',
  forbidden: 'Your account may not do this.',
  not_found: 'What you asked for is not here.',
  not_ready: 'That is not finished yet.',
  invalid_prompt: 'The platform did not take these words. Change them and try again.',
  invalid_cursor: 'This page of your history is not there, or not any more.',
  range_not_satisfiable: 'That part of the file is not there.',
  body_too_large: 'That file is too large.',
  malformed_form: 'That form did not arrive whole. Try again.',
  unsupported_media_type: 'The platform does not take that kind of file.',
  rate_limited: 'That was a lot at once. Wait a moment, then try again.',
  upstream_unavailable: 'The platform does not answer right now. Wait a moment, then try again.',
};
