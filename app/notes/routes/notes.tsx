/** `/notes`: the account's notes, with search, tags and a form for a new one. */
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData, useNavigation } from '@remix-run/react';
import { useRef, useState } from 'react';
import { requireAccount } from '~/accounts.server';
import { headersOfResponse, parseFields, textOf } from '@gatehouse/frame/server';
import type { RouteHandle } from '~/route-handle';
import { titleOf } from '~/site.config';
import { newId } from '@gatehouse/store';
import { Card } from '~/ui/card';
import { Pages } from '~/ui/pages';
import { noteIdOf, notesReply, orUnavailable, readNotesCall } from '../note-replies.server';
import { Conflict } from '../conflict';
import { noteFormBytes } from '../note';
import { NoteForm } from '../note-form';
import { DeletedNote, NoteList, PendingNote } from '../note-list';
import { SearchForm } from '../search-form';
import { idSchema, noteSchema, queryOf, tagOf } from '../schemas.server';
import { readCursor } from '../stored/cursor.server';
import { listNotes, listTags } from '../stored/list.server';
import { addNote, deletedTitle, deleteNote, pinNote, restoreNote } from '../stored/note.server';

export const handle = { access: 'account', body: noteFormBytes } satisfies RouteHandle;

export const headers = headersOfResponse;

export const meta: MetaFunction = () => [{ title: titleOf('Notes') }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { account } = await requireAccount({ request, context });
  const { searchParams } = new URL(request.url);
  const { query, isCut } = queryOf(searchParams.get('q'));
  const tag = tagOf(searchParams.get('tag') ?? '');
  const written = searchParams.get('cursor');
  const cursor = written === null ? null : readCursor(written);
  if (written !== null && !cursor) throw new Response(null, { status: 400 });
  const gone = idSchema.safeParse(searchParams.get('deleted'));
  const [list, tags, title] = await Promise.all([
    listNotes(account.id, { query, tag, cursor, signal: request.signal }),
    listTags(account.id),
    gone.success ? deletedTitle(account.id, gone.data) : null,
  ]);
  return {
    account: account.id,
    ...list,
    tags,
    query,
    isCut,
    tag,
    isFirstPage: cursor === null,
    deleted: gone.success && title !== null ? { id: gone.data, title } : null,
    added: searchParams.get('added'),
    newId: newId(),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { account } = await requireAccount({ request, context });
  const { owner, form, isDocument } = await readNotesCall({ request, context }, account);
  const id = noteIdOf(textOf(form, 'id'));
  /** Redirects to the same page, with or without the undo for a deletion. */
  const back = (deleted?: string) => {
    const { searchParams } = new URL(request.url);
    for (const name of ['added', 'deleted']) searchParams.delete(name);
    if (deleted !== undefined) searchParams.set('deleted', deleted);
    const query = searchParams.toString();
    return redirect(query ? `/notes?${query}` : '/notes', 303);
  };
  const absent = () => notesReply({ message: 'This note no longer exists.' }, 404);

  switch (textOf(form, 'intent')) {
    case 'add': {
      const submission = parseFields(form, noteSchema);
      if (submission.status !== 'success') {
        return notesReply({ result: submission.reply() }, 422);
      }
      return orUnavailable(
        async () => {
          const added = await addNote(owner, id, submission.value);
          if (added === 'absent') return absent();
          if (added === 'saved') return redirect(`/notes?added=${id}`, 303);
          const conflict = { result: submission.reply(), other: added, another: newId() };
          return notesReply(conflict, 409);
        },
        () => submission.reply(),
      );
    }
    case 'pin':
      return orUnavailable(async () => {
        if (!(await pinNote(owner, id, textOf(form, 'pinned') === 'true'))) return absent();
        return isDocument ? back() : notesReply({});
      });
    case 'delete':
      return orUnavailable(async () => ((await deleteNote(owner, id)) ? back(id) : absent()));
    case 'restore':
      return orUnavailable(async () => ((await restoreNote(owner, id)) ? back() : absent()));
    default:
      throw new Response(null, { status: 400 });
  }
}

export default function Notes() {
  const {
    account,
    notes,
    nextCursor,
    tags,
    query,
    tag,
    isFirstPage,
    deleted,
    added,
    newId,
    ...search
  } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const sent = useNavigation().formData;
  const adding = sent?.get('intent') === 'add' ? sent : undefined;
  const form = useRef<HTMLDetailsElement>(null);
  const other = reply?.other;
  const draft = useDraftId({ fresh: newId, added, another: reply?.another });
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h1 className="font-display text-4xl">Notes</h1>
        <Link to="/notes/import" className="text-sm underline underline-offset-4">
          Import and export
        </Link>
      </div>

      {other ? (
        <Conflict account={account} reply={reply} other={other} another={draft} />
      ) : (
        // Clears and closes after adding a note. Without JavaScript it reopens with what was typed.
        <details key={draft} ref={form} open={Boolean(reply?.result)} className="group">
          <summary className="bg-accent text-on-accent inline-flex min-h-11 items-center rounded-full px-6 font-medium group-open:mb-4">
            New note
          </summary>
          <Card className="p-5 sm:p-6">
            <NoteForm
              hidden={{ intent: 'add', account, id: draft }}
              submit={{ label: 'Add note', busy: 'Adding…' }}
              reply={reply}
              draft={{
                onRestore: () => {
                  if (form.current) form.current.open = true;
                },
              }}
            />
          </Card>
        </details>
      )}

      <SearchForm query={query} tag={tag} tags={tags} {...search} />

      {deleted && <DeletedNote account={account} {...deleted} />}
      <p role="status" className="text-danger text-sm font-medium empty:hidden">
        {reply?.message}
      </p>

      {adding && isFirstPage && <PendingNote form={adding} />}
      {notes.length === 0 && !adding ? (
        <p className="text-muted">
          {query || tag ? 'No notes found.' : 'No notes yet. Your first one will appear here.'}
        </p>
      ) : (
        <NoteList account={account} notes={notes} />
      )}
      <Pages
        label="Pages of notes"
        isFirst={isFirstPage}
        nextCursor={nextCursor}
        query={{ ...(query && { q: query }), ...(tag && { tag }) }}
        words={{ newest: 'Newest notes', older: 'Older notes' }}
      />
    </div>
  );
}

interface KnownIds {
  /** A new id from each loader response. */
  fresh: string;
  /** The id of the note that was added last. */
  added: string | null;
  /** A new id from an action that found the draft's id in use. */
  another: string | null | undefined;
}

/**
 * The id for the note being written. It stays the same until the note is added, so that submitting
 * the form twice adds one note.
 */
function useDraftId({ fresh, added, another }: KnownIds): string {
  const [draft, setDraft] = useState(fresh);
  if (another && another !== draft) setDraft(another);
  else if (added === draft) setDraft(fresh);
  return draft;
}
