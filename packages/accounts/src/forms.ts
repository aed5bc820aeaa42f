/** The forms of account pages: each is checked, parsed and answered in one way. */
import { onlyPost, parseFields, readFields, isFromPageOf, textOf } from '@gatehouse/frame/server';
import { whileAvailable } from '@gatehouse/store';
import type { z } from 'zod';
import { requireAccount, type AccountArgs, type OpenAccountGuard } from './guard.ts';
import type { LimitReached } from './limits.ts';
import type { AccountCall } from './settings/change-settings.ts';
import type { AccountsSite } from './site.ts';
import { isTemporary } from './temporary.ts';

type Submission = ReturnType<typeof parseFields>;

/** What the page learns about its last submission. */
export interface FormReply {
  /** Which of the page's forms was submitted. */
  intent: string;
  /** The errors, and what was typed except secrets. Null once the form's work is done. */
  result: ReturnType<Submission['reply']> | null;
  /** A success message, if the page stays. */
  message: string | null;
}

/** What a form's work returns. */
export type FormOutcome =
  /** A redirect. */
  | Response
  | { done: string; headers?: HeadersInit }
  /** A message for the whole form, or messages by field. The status is 422 by default. */
  | { refused: string | Record<string, string[]>; status?: number }
  | LimitReached;

export interface SubmittedForm {
  /** Which of the page's forms was submitted: its hidden field `intent`. */
  intent: string;
  /** A field that the page itself fills in; empty if it is missing or repeated. */
  text: (name: string) => string;
  /**
   * Parses the fields that the schema names, and runs the work on them. Whatever is refused responds with what was
   * typed, so that the form keeps it: invalid fields with a 422, a form of another account's page with a 409, an
   * unavailable store with a 503.
   */
  submit: <Schema extends z.ZodObject>(
    schema: Schema,
    work: (fields: z.output<Schema>) => Promise<FormOutcome>,
  ) => Promise<Response>;
}

/** What `requireAccountForm` returns. */
export interface OpenAccountFormGuard<Tables> extends OpenAccountGuard<Tables> {
  readonly form: SubmittedForm;
  /** What the functions of the settings take. */
  readonly call: AccountCall;
}

/** Fields that no response repeats. */
const secrets = ['password', 'current', 'token'];

/** Reads a form that needs no account. @throws {Response} 405 or 400, if the request has none. */
export function readForm(site: AccountsSite, { request }: AccountArgs): Promise<SubmittedForm> {
  return read(site, request);
}

/**
 * The guard, then the form. Its hidden field `account` has the id of the account whose page it is.
 *
 * @throws {Response} as `requireAccount` does; 405 or 400, if the request has no form.
 */
export async function requireAccountForm<Tables>(
  site: AccountsSite,
  args: AccountArgs,
  needed?: { role: string },
): Promise<OpenAccountFormGuard<Tables>> {
  const guard = await requireAccount<Tables>(site, args, needed);
  const { account } = guard;
  const form = await read(site, args.request, account.id);
  return { ...guard, form, call: { ...args, account, address: args.context.clientAddress } };
}

async function read(site: AccountsSite, request: Request, owner?: string): Promise<SubmittedForm> {
  onlyPost(request);
  const fields = await readFields(request);
  const text = (name: string) => textOf(fields, name);
  const intent = text('intent');
  const respond = (reply: Partial<FormReply>, init: ResponseInit = {}) =>
    Response.json({ intent, result: null, message: null, ...reply } satisfies FormReply, init);
  return {
    intent,
    text,
    async submit(schema, work) {
      const submission = parseFields(fields, schema);
      const refuse = (errors: Parameters<typeof submission.reply>[0], init: ResponseInit) =>
        respond({ result: withoutSecrets(submission.reply(errors)) }, init);
      const { limited, otherAccount } = site.formMessages;
      if (owner !== undefined && !isFromPageOf(owner, fields)) {
        return refuse({ formErrors: [otherAccount] }, { status: 409 });
      }
      if (submission.status !== 'success') return refuse({}, { status: 422 });
      // No browser sends it, and PostgreSQL refuses the query.
      if (Object.values(submission.value).some((value) => String(value).includes('\0'))) {
        throw new Response(null, { status: 400 });
      }
      const outcome = await whileAvailable(
        () => work(submission.value),
        ({ message, ...init }, error) => {
          const reason = error instanceof Error ? error.name : undefined;
          site.log.warn({ reason }, 'accounts are not available');
          return refuse({ formErrors: [message] }, init);
        },
        isTemporary,
      );
      if (outcome instanceof Response) return outcome;
      if ('done' in outcome) {
        return respond({ message: outcome.done }, { headers: outcome.headers ?? {} });
      }
      if ('refused' in outcome) {
        const { refused, status = 422 } = outcome;
        const errors =
          typeof refused === 'string' ? { formErrors: [refused] } : { fieldErrors: refused };
        return refuse(errors, { status });
      }
      const { retryAfterSeconds } = outcome;
      return refuse(
        { formErrors: [limited(Math.ceil(retryAfterSeconds / 60))] },
        { status: 429, headers: { 'retry-after': String(retryAfterSeconds) } },
      );
    },
  };
}

function withoutSecrets(result: ReturnType<Submission['reply']>) {
  const { initialValue, ...rest } = result;
  if (!initialValue) return rest;
  const shown = Object.entries(initialValue).filter(([name]) => !secrets.includes(name));
  return { ...rest, initialValue: Object.fromEntries(shown) };
}
