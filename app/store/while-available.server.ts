/** What a form asks of the store, which may be unable to serve for a moment. */
import { isStoreUnavailable } from './unavailable.server';

/** What is told beside the form. */
export interface NotNow {
  message: string;
  status: 503;
  headers: { 'retry-after': string };
}

const notNow: NotNow = {
  message: 'That cannot be done right now. Nothing has changed: try again in a moment.',
  status: 503,
  headers: { 'retry-after': '5' },
};

/**
 * Does the work of a form. An error that passes by itself becomes an answer, so that the page stays with all that was
 * typed into it.
 *
 * @param refuse answers with that page.
 * @param passes whether an error is such a one: the store's, unless told otherwise.
 */
export async function whileAvailable<Answer, Refusal>(
  work: () => Promise<Answer>,
  refuse: (notNow: NotNow, error: unknown) => Refusal,
  passes: (error: unknown) => boolean = isStoreUnavailable,
): Promise<Answer | Refusal> {
  try {
    return await work();
  } catch (error) {
    if (!passes(error)) throw error;
    return refuse(notNow, error);
  }
}
