/** `/notes/:id`: reads and edits a note. */
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { data, redirect } from '@remix-run/node';
import { Form, Link, useActionData, useLoaderData, useSearchParams } from '@remix-run/react';
import { useState } from 'react';
import { requireAccount } from '~/accounts.server';
import { headersOfResponse, parseFields, textOf } from '@gatehouse/frame/server';
import { When } from '~/ui/when';
import type { RouteHandle } from '~/route-handle';
import { titleOf } from '~/site.config';
import { Button } from '~/ui/button';
import { Card } from '~/ui/card';
import { noteIdOf, notesReply, orUnavailable, readNotesCall } from '../note-replies.server';
import { Conflict } from '../conflict';
import { noteFormBytes, titleOfNote } from '../note';
import { NoteForm } from '../note-form';
import { DeletedNote } from '../note-list';
import { readNote, saveNote } from '../stored/note.server';
import { noteSchema } from '../schemas.server';

export const handle = { access: 'account', body: noteFormBytes } satisfies RouteHandle;

export const headers = headersOfResponse;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: titleOf(data ? titleOfNote(data.note) : 'Note') },
];

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const { account } = await requireAccount({ request, context });
  const note = await readNote(account.id, noteIdOf(params['id']));
  if (!note) throw new Response(null, { status: 404 });
  // 410: deleted, but the page can restore it.
  return data({ account: account.id, note }, { status: note.deleted ? 410 : 200 });
}

export async function action({ request, context, params }: ActionFunctionArgs) {
  const { account } = await requireAccount({ request, context });
  const { owner, form } = await readNotesCall({ request, context }, account);
  const id = noteIdOf(params['id']);
  const version = Number(textOf(form, 'version'));
  if (!Number.isSafeInteger(version)) throw new Response(null, { status: 400 });
  const submission = parseFields(form, noteSchema);
  if (submission.status !== 'success') return notesReply({ result: submission.reply() }, 422);
  return orUnavailable(
    async () => {
      const saved = await saveNote(owner, { id, version }, submission.value);
      if (saved === 'absent') throw new Response(null, { status: 404 });
      if (saved !== 'saved') return notesReply({ result: submission.reply(), other: saved }, 409);
      return redirect(`/notes/${id}?saved=${version + 1}`, 303);
    },
    () => submission.reply(),
  );
}

export default function NotePage() {
  const { account, note } = useLoaderData<typeof loader>();
  const [searchParams] = useSearchParams();
  // The editor keeps the version that the page started with, whatever the loaders return later.
  return <Editor key={`${note.id} ${searchParams.get('saved')}`} account={account} loaded={note} />;
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>['note'];

function Editor({ account, loaded }: { account: string; loaded: Loaded }) {
  const [note] = useState(loaded);
  const reply = useActionData<typeof action>();
  const [searchParams] = useSearchParams();
  const other = reply?.other;
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-6">
      <div className="grid gap-1">
        <p className="text-sm">
          <Link to="/notes" className="underline underline-offset-4">
            All notes
          </Link>
        </p>
        <h1 className="font-display text-4xl wrap-anywhere">{titleOfNote(note)}</h1>
        <p className="text-muted text-sm">
          Changed <When at={note.updatedAt} />
        </p>
      </div>
      {other ? (
        <Conflict account={account} reply={reply} other={other} />
      ) : note.deleted ? (
        <DeletedNote account={account} id={note.id} title={note.title} />
      ) : (
        <Card className="grid gap-4 p-5 sm:p-6">
          <NoteForm
            hidden={{ intent: 'save', account, version: String(note.version) }}
            note={{ id: note.id, words: note }}
            submit={{ label: 'Save', busy: 'Saving…' }}
            reply={reply}
          >
            <p role="status" className="text-sm empty:hidden">
              {reply ? reply.message : searchParams.has('saved') && 'Saved.'}
            </p>
          </NoteForm>
        </Card>
      )}
      {!other && !note.deleted && (
        <Form method="post" action="/notes">
          <input type="hidden" name="account" value={account} />
          <input type="hidden" name="id" value={note.id} />
          <input type="hidden" name="intent" value="delete" />
          <Button type="submit" tone="secondary" size="small">
            Delete note
          </Button>
        </Form>
      )}
    </div>
  );
}
