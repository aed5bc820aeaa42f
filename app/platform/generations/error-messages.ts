/** Messages for what goes wrong with an order, its history and its generations (W33). */
import type { GenerationFailure } from './generations';

export const generationMessages = {
  already_finished: 'This has already finished.',
  reference_gone: 'A reference no longer exists. Choose it again.',
  invalid_order: 'The platform rejected this order. Check your choices and try again.',
  invalid_prompt: 'The platform rejected this prompt. Change it and try again.',
  prompt_refused: 'The platform does not allow this prompt. Try a different one.',
  invalid_cursor: 'This page of your history no longer exists.',
};

export const failureMessages: Record<GenerationFailure, string> = {
  prompt_refused: generationMessages.prompt_refused,
  provider_failed: 'Something went wrong. Nothing was charged, so you can try again.',
  timed_out: 'This took too long and was stopped. Nothing was charged, so you can try again.',
  unknown: 'This could not be generated. Try again, or change the prompt.',
};
