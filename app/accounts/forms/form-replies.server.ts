/** Responses of the account actions. */
import type { Submission, SubmissionResult } from '@conform-to/react';
import { data } from '@remix-run/node';
import { isTemporary, type LimitReached } from '@gatehouse/accounts';
import { log } from '@gatehouse/server/log';
import { whileAvailable } from '@gatehouse/store';

/** The result of a submission. */
export interface FormReply {
  /** Which of the page's forms was submitted. */
  intent: string;
  result: SubmissionResult | null;
  /** A success message, if the page stays. */
  message: string | null;
}

const secrets = ['password', 'current', 'token'];

/** The form with its errors, without the passwords. */
export function refusedForm<T>(
  submission: Submission<T>,
  formError?: string,
  {
    intent = '',
    status = 422,
    headers = {},
  }: { intent?: string; status?: number; headers?: HeadersInit } = {},
) {
  const result = withoutSecrets(
    submission.reply(formError === undefined ? {} : { formErrors: [formError] }),
  );
  return data<FormReply>({ intent, result, message: null }, { status, headers });
}

/** The form with an error on a single field. */
export function refusedField<T>(
  submission: Submission<T>,
  fieldErrors: Record<string, string[]>,
  intent = '',
) {
  const result = withoutSecrets(submission.reply({ fieldErrors }));
  return data<FormReply>({ intent, result, message: null }, { status: 422 });
}

export function doneForm(message: string, intent = '', headers: HeadersInit = {}) {
  return data<FormReply>({ intent, result: null, message }, { headers });
}

/** Too many attempts. The message does not reveal whether the account exists. */
export function limitedForm<T>(
  submission: Submission<T>,
  { retryAfterSeconds }: LimitReached,
  intent = '',
) {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return refusedForm(
    submission,
    `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    { intent, status: 429, headers: { 'retry-after': String(retryAfterSeconds) } },
  );
}

/**
 * Runs a form's work. Transient failures (a busy hasher, an unavailable store) become a 503 shown
 * in the form.
 */
export function replyTo<T, Reply>(
  submission: Submission<T>,
  intent: string,
  work: () => Promise<Reply>,
): Promise<Reply | ReturnType<typeof refusedForm>> {
  return whileAvailable(
    work,
    ({ message, ...init }, error) => {
      log.warn(
        { reason: error instanceof Error ? error.name : undefined },
        'accounts are not available',
      );
      return refusedForm(submission, message, { intent, ...init });
    },
    isTemporary,
  );
}

function withoutSecrets(result: SubmissionResult): SubmissionResult {
  const { initialValue, ...rest } = result;
  if (!initialValue) return rest;
  const shown = Object.entries(initialValue).filter(([name]) => !secrets.includes(name));
  return { ...rest, initialValue: Object.fromEntries(shown) };
}
