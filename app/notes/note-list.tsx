/**
 * The list of notes. Pinning and deleting are optimistic, and rolled back if the server refuses.
 */
import { Form, Link, useFetcher, useLocation } from '@remix-run/react';
import { Pin, PinOff, Trash2 } from 'lucide-react';
import { isBlank } from '@gatehouse/frame';
import { When } from '~/ui/when';
import { Button } from '~/ui/button';
import { Card } from '~/ui/card';
import type { NotesReply } from './note-replies.server';
import { titleOfNote, type NoteSummary } from './note';

export interface NoteListProps {
  /** The account whose notes these are. */
  account: string;
  notes: readonly NoteSummary[];
}

export function NoteList({ account, notes }: NoteListProps) {
  return (
    <ul aria-label="Notes" className="grid gap-4">
      {notes.map((note) => (
        <NoteItem key={note.id} account={account} note={note} />
      ))}
    </ul>
  );
}

function NoteItem({ account, note }: { account: string; note: NoteSummary }) {
  const pin = useFetcher<NotesReply>();
  const removal = useFetcher<NotesReply>();
  const { search } = useLocation();
  const sent = pin.formData?.get('pinned');
  const pinned = sent ? sent === 'true' : note.pinned;
  const title = titleOfNote(note);
  const action = `/notes${search}`;
  const hidden = (
    <>
      <input type="hidden" name="account" value={account} />
      <input type="hidden" name="id" value={note.id} />
    </>
  );
  const message = pin.data?.message ?? removal.data?.message;
  return (
    <li hidden={removal.state !== 'idle'}>
      <Card className="grid gap-3 p-5">
        <div className="flex items-start justify-between gap-3">
          <h2 id={`note-${note.id}`} className="min-w-0 text-lg font-semibold wrap-anywhere">
            <Link to={`/notes/${note.id}`} className="underline-offset-4 hover:underline">
              {title}
            </Link>
          </h2>
          <div className="-mt-1 -mr-2 flex shrink-0">
            <pin.Form method="post" action={action}>
              {hidden}
              <input type="hidden" name="intent" value="pin" />
              <input type="hidden" name="pinned" value={pinned ? 'false' : 'true'} />
              <Button
                type="submit"
                tone="quiet"
                size="icon"
                aria-label={pinned ? 'Unpin' : 'Pin'}
                aria-describedby={`note-${note.id}`}
                className={pinned ? 'text-accent' : ''}
              >
                {pinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
              </Button>
            </pin.Form>
            <removal.Form method="post" action={action}>
              {hidden}
              <input type="hidden" name="intent" value="delete" />
              <Button
                type="submit"
                tone="quiet"
                size="icon"
                aria-label="Delete"
                aria-describedby={`note-${note.id}`}
              >
                <Trash2 aria-hidden />
              </Button>
            </removal.Form>
          </div>
        </div>
        {!isBlank(note.title) && !isBlank(note.text) && (
          <p className="text-muted line-clamp-3 wrap-anywhere whitespace-pre-line">{note.text}</p>
        )}
        <p className="text-muted flex flex-wrap gap-x-3 gap-y-1 text-sm">
          <When at={note.updatedAt} />
          {pinned && <span>Pinned</span>}
          {note.tags.map((tag) => (
            <span key={tag} className="wrap-anywhere">
              #{tag}
            </span>
          ))}
        </p>
        <p role="status" className="text-danger text-sm font-medium empty:hidden">
          {message}
        </p>
      </Card>
    </li>
  );
}

/** A note that is being submitted. */
export function PendingNote({ form }: { form: FormData }) {
  const textOf = (name: string) => {
    const value = form.get(name);
    return typeof value === 'string' ? value : '';
  };
  return (
    <Card className="p-5 opacity-60">
      <p className="text-lg font-semibold wrap-anywhere">
        {titleOfNote({ title: textOf('title'), text: textOf('text') })}
      </p>
      <p className="text-muted text-sm">Adding…</p>
    </Card>
  );
}

export interface DeletedNoteProps {
  account: string;
  id: string;
  title: string;
}

/** A deleted note, with undo. */
export function DeletedNote({ account, id, title }: DeletedNoteProps) {
  const { search } = useLocation();
  return (
    <Card tone="accent" className="flex flex-wrap items-center justify-between gap-3 p-4">
      <p role="status" className="min-w-0 grow basis-60 wrap-anywhere">
        “<bdi>{titleOfNote({ title, text: '' })}</bdi>” is deleted.
      </p>
      <Form method="post" action={`/notes${search}`}>
        <input type="hidden" name="account" value={account} />
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="intent" value="restore" />
        <Button type="submit" tone="secondary" size="small">
          Undo
        </Button>
      </Form>
    </Card>
  );
}
