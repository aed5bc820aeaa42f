/** What the actions of notes have in common: whose request it is, and what is answered. */
import type { SubmissionResult } from '@conform-to/react';
import { data, type ActionFunctionArgs } from '@remix-run/node';
import { onlyPost, readFields, textOf } from '~/frame/forms.server';
import type { Account } from '~/accounts/account.server';
import { whileAvailable } from '~/store/while-available.server';
import type { AnyNote } from './stored/note.server';
import { idSchema } from './schemas.server';

/** What a page of notes is told of its last submission. */
export interface NotesAnswer {
  result: SubmissionResult | null;
  message: string | null;
  /** What another tab made of the note that was to be saved. */
  other: AnyNote | null;
}

export interface NotesCall {
  owner: string;
  form: FormData;
  /** Answers with a page of its own, where the browser runs no script. */
  isDocument: boolean;
}

/** Reads a form of whoever is signed in. The guard has passed already. */
export async function readNotesCall(
  { request, context }: Pick<ActionFunctionArgs, 'request' | 'context'>,
  account: Account,
): Promise<NotesCall> {
  onlyPost(request);
  const form = await readFields(request);
  checkOwner(textOf(form, 'account'), account);
  return { owner: account.id, form, isDocument: context.kind !== 'data' };
}

/**
 * The page was loaded by somebody else, who signed out meanwhile: what it sends is not this one's.
 *
 * @throws {Response} a 409.
 */
export function checkOwner(given: string | undefined, { id }: Account): void {
  if (given !== id) throw new Response(null, { status: 409 });
}

/** The id of a note. No other text is one. @throws {Response} a 404. */
export function noteIdOf(value: string | undefined): string {
  const id = idSchema.safeParse(value);
  if (!id.success) throw new Response(null, { status: 404 });
  return id.data;
}

export function notesAnswer(answer: Partial<NotesAnswer>, init: number | ResponseInit = 200) {
  return data<NotesAnswer>({ result: null, message: null, other: null, ...answer }, init);
}

/** A store that cannot serve leaves the page as it is, with all that was typed, and says so there. */
export function orUnavailable<Answer>(
  work: () => Promise<Answer>,
  reply: () => SubmissionResult | null = () => null,
) {
  return whileAvailable(work, ({ message, ...init }) =>
    notesAnswer({ result: reply(), message }, init),
  );
}
