/** What a visitor reads when something in the studio fails, by the code that the site gives. */
import type { PlatformErrorCode } from '~/platform/error-codes';
import type { GenerationFailure } from '~/platform/sdk/generations/generations';
import { platformMessages } from '~/shell/platform/platform-messages';

/** @param code of an answer of the site's own `/api/`. */
export function messageOf(code: string): string {
  if (code === 'connection_lost') return 'The connection is lost. Try again.';
  const known: Partial<Record<string, string>> = platformMessages;
  return known[code satisfies string as PlatformErrorCode] ?? platformMessages.upstream_unavailable;
}

export const failureMessages: Record<GenerationFailure, string> = {
  prompt_refused: 'The platform did not want to make this. Try it in other words.',
  provider_failed: 'Something broke while it was being made. Try again: nothing was charged.',
  timed_out: 'It took too long and was given up. Try again: nothing was charged.',
  unknown: 'This could not be made. Try again, or try it in other words.',
};
