/** Shared by the actions of notes: reading the request and its owner, and responding. */
import type { SubmissionResult } from '@conform-to/react';
import { data, type ActionFunctionArgs } from '@remix-run/node';
import { onlyPost, readFields } from '@gatehouse/frame/server';
import { requireSameAccount, type Account } from '@gatehouse/accounts';
import { whileAvailable } from '@gatehouse/store';
import type { AnyNote } from './stored/note.server';
import { idSchema } from './schemas.server';

/** The result of the last submission. */
export interface NotesReply {
  result: SubmissionResult | null;
  message: string | null;
  /** The note's current version, if another submission came first. */
  other: AnyNote | null;
  /** An id for a further note, if the form had already added `other`. */
  another: string | null;
}

export interface NotesCall {
  owner: string;
  form: FormData;
  /** Whether the response is a page of its own, for browsers without JavaScript. */
  isDocument: boolean;
}

/** Reads a form of the signed-in account. The guard must have passed. */
export async function readNotesCall(
  { request, context }: Pick<ActionFunctionArgs, 'request' | 'context'>,
  account: Account,
): Promise<NotesCall> {
  onlyPost(request);
  const form = await readFields(request);
  requireSameAccount(account, form);
  return { owner: account.id, form, isDocument: context.kind !== 'data' };
}

/** Validates a note's id. @throws {Response} 404 */
export function noteIdOf(value: string | undefined): string {
  const id = idSchema.safeParse(value);
  if (!id.success) throw new Response(null, { status: 404 });
  return id.data;
}

export function notesReply(reply: Partial<NotesReply>, init: number | ResponseInit = 200) {
  return data<NotesReply>(
    { result: null, message: null, other: null, another: null, ...reply },
    init,
  );
}

/**
 * If the store is unavailable, keeps the page with everything that was typed, and shows a message.
 */
export function orUnavailable<Reply>(
  work: () => Promise<Reply>,
  reply: () => SubmissionResult | null = () => null,
) {
  return whileAvailable(work, ({ message, ...init }) =>
    notesReply({ result: reply(), message }, init),
  );
}
