/** The error codes of this site's operations, beside those that every site has. */
import type {} from '@gatehouse/platform';

declare module '@gatehouse/platform' {
  interface PlatformErrorCodes {
    already_finished: true;
    reference_gone: true;
    invalid_order: true;
    invalid_prompt: true;
    prompt_refused: true;
    invalid_cursor: true;
    unsupported_media: true;
    infected_media: true;
  }
}
