/** How the actions of accounts read a form, and what they answer. */
import type { Submission, SubmissionResult } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { data, type HeadersFunction } from '@remix-run/node';
import { log } from 'site-server/log';
import type { z } from 'zod';
import { isStoreUnavailable } from '../account.server';
import type { Limited } from '../limits/limits.server';
import { HashingBusy } from '../password/hashing.server';

/** What a form is told of its submission. */
export interface FormAnswer {
  /** The form of the page that was sent, where the page has several. */
  intent: string;
  result: SubmissionResult | null;
  /** What came of it, where the page stays. */
  message: string | null;
}

/** The `headers` of a route: without it a page says nothing of what its action said. Cookies go by themselves. */
export const headersOfAnswer: HeadersFunction = ({ actionHeaders }) => {
  const wait = actionHeaders.get('retry-after');
  return wait === null ? {} : { 'retry-after': wait };
};

/** Remix brings every unsafe method to an action. */
export function onlyPost({ method }: Request): void {
  if (method !== 'POST') {
    throw new Response(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } });
  }
}

/** @throws {Response} a 400, for a body that is no form. */
export async function readFields(request: Request): Promise<FormData> {
  const form = await request.formData().catch(() => null);
  if (!form) throw new Response(null, { status: 400 });
  return form;
}

/** A field that a page itself has filled in. */
export function textOf(form: FormData, name: string): string {
  const [value, ...more] = form.getAll(name);
  return typeof value === 'string' && more.length === 0 ? value : '';
}

/**
 * Reads the fields that the schema knows, and no others: whatever else a request carries reaches nothing. A name such
 * as `a[9999999]` would be costly to read, too.
 */
export function parseFields<Schema extends z.ZodObject>(form: FormData, schema: Schema) {
  const own = new FormData();
  for (const name of Object.keys(schema.shape)) {
    const [value, ...more] = form.getAll(name);
    if (typeof value === 'string' && more.length === 0) own.set(name, value);
  }
  return parseWithZod(own, { schema });
}

const secrets = ['password', 'current', 'token'];

/** The form again, with what is wrong beside each field, and without the passwords. */
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
  return data<FormAnswer>({ intent, result, message: null }, { status, headers });
}

/** The same where one field is at fault. */
export function refusedField<T>(
  submission: Submission<T>,
  fieldErrors: Record<string, string[]>,
  intent = '',
) {
  const result = withoutSecrets(submission.reply({ fieldErrors }));
  return data<FormAnswer>({ intent, result, message: null }, { status: 422 });
}

export function doneForm(message: string, intent = '', headers: HeadersInit = {}) {
  return data<FormAnswer>({ intent, result: null, message }, { headers });
}

/** Too many tries, in words that do not tell whether there is such an account. */
export function limitedForm<T>(
  submission: Submission<T>,
  { retryAfterSeconds }: Limited,
  intent = '',
) {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return refusedForm(
    submission,
    `That was tried too often. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    { intent, status: 429, headers: { 'retry-after': String(retryAfterSeconds) } },
  );
}

/** Does what a form asks for. What passes by itself, and can be sent again then, is told beside the form. */
export async function answered<T, Answer>(
  submission: Submission<T>,
  intent: string,
  work: () => Promise<Answer>,
): Promise<Answer | ReturnType<typeof refusedForm>> {
  try {
    return await work();
  } catch (error) {
    const passes = error instanceof HashingBusy || isStoreUnavailable(error);
    if (!passes) throw error;
    log.warn(
      { reason: error instanceof Error ? error.name : undefined },
      'accounts are not available',
    );
    return refusedForm(
      submission,
      'That cannot be done right now. Nothing has changed: try again in a moment.',
      {
        intent,
        status: 503,
        headers: { 'retry-after': '5' },
      },
    );
  }
}

function withoutSecrets(result: SubmissionResult): SubmissionResult {
  const { initialValue, ...rest } = result;
  if (!initialValue) return rest;
  const shown = Object.entries(initialValue).filter(([name]) => !secrets.includes(name));
  return { ...rest, initialValue: Object.fromEntries(shown) };
}
