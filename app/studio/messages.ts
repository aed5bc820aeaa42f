/** Messages for errors in the studio, by the site's code. */
import type { PlatformErrorCode } from '~/platform/error-codes';
import type { GenerationFailure } from '~/platform/sdk/generations/generations';
import { platformMessages } from '~/shell/platform/platform-messages';

/** @param code from a response of the site's own `/api/`. */
export function messageOf(code: string): string {
  if (code === 'connection_lost') return 'The connection was lost. Try again.';
  const known: Partial<Record<string, string>> = platformMessages;
  return known[code satisfies string as PlatformErrorCode] ?? platformMessages.upstream_unavailable;
}

export const failureMessages: Record<GenerationFailure, string> = {
  prompt_refused: 'The platform does not allow this prompt. Try a different one.',
  provider_failed: 'Something went wrong. Nothing was charged, so you can try again.',
  timed_out: 'This took too long and was stopped. Nothing was charged, so you can try again.',
  unknown: 'This could not be generated. Try again, or change the prompt.',
};
