/** Running a form's work on a store that may be temporarily unavailable. */
import { isStoreUnavailable } from './unavailable.ts';

/** The message and status for the form. */
export interface NotNow {
  message: string;
  status: 503;
  headers: { 'retry-after': string };
}

// Not “nothing was changed”: a commit may have succeeded although its acknowledgement was lost.
const notNow: NotNow = {
  message: 'That did not work just now, and may not have been saved. Try again in a moment.',
  status: 503,
  headers: { 'retry-after': '5' },
};

/**
 * Runs a form's work. A temporary error becomes a response, so that the page keeps everything that
 * was typed.
 *
 * @param refuse responds with that page.
 * @param passes whether an error is temporary; by default the store's are.
 */
export async function whileAvailable<Result, Refusal>(
  work: () => Promise<Result>,
  refuse: (notNow: NotNow, error: unknown) => Refusal,
  passes: (error: unknown) => boolean = isStoreUnavailable,
): Promise<Result | Refusal> {
  try {
    return await work();
  } catch (error) {
    if (!passes(error)) throw error;
    return refuse(notNow, error);
  }
}
