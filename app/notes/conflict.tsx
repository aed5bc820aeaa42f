/**
 * Resolves a conflict: a note was changed in two tabs, or a form that had added a note was submitted
 * again with other words. Shows both versions, and the author chooses.
 */
import { useEffect, useRef, useState } from 'react';
import { When } from '~/ui/when';
import { Button, buttonLook } from '~/ui/button';
import { Card } from '~/ui/card';
import type { NotesReply } from './note-replies.server';
import { tagsText } from './note';
import { NoteForm } from './note-form';
import type { AnyNote } from './stored/note.server';

export interface ConflictProps {
  account: string;
  /** Contains what was submitted from this tab. */
  reply: Pick<NotesReply, 'result'>;
  /** The note's current version. */
  other: AnyNote;
  /** The id for adding this tab's words as a further note. Absent if they are a change to `other`. */
  another?: string;
}

export function Conflict({ account, reply, other, another }: ConflictProps) {
  const [isDiscarded, setDiscarded] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, [other]);
  return (
    <section aria-labelledby="conflict" className="grid gap-5">
      <Card tone="danger" className="grid gap-2 p-5">
        <h2
          id="conflict"
          ref={heading}
          tabIndex={-1}
          className="text-xl font-semibold outline-none"
        >
          {headingOf(other, another !== undefined)}
        </h2>
        <p>
          {another === undefined
            ? 'It was changed in another tab or browser. Your version is not saved yet: keep yours, or use the current one.'
            : 'The form was sent before, with different content. Your version is not saved yet: keep yours, the current one, or both.'}
        </p>
      </Card>
      <div className="grid items-start gap-5 md:grid-cols-2">
        <Card role="group" aria-labelledby="conflict-mine" className="grid gap-4 p-5">
          <h3 id="conflict-mine" className="text-lg font-semibold">
            Yours
          </h3>
          <NoteForm
            hidden={{
              intent: another === undefined ? 'save' : 'add',
              account,
              version: String(other.version),
              ...(another && { id: another }),
            }}
            note={{ id: other.id }}
            submit={{ label: 'Keep mine', busy: 'Saving…' }}
            reply={reply}
            draft={{ isKept: !isDiscarded }}
          >
            {another !== undefined && (
              <Button type="submit" tone="secondary" formAction="/notes">
                Keep both
              </Button>
            )}
          </NoteForm>
        </Card>
        <Card role="group" aria-labelledby="conflict-theirs" className="grid gap-4 p-5">
          <div>
            <h3 id="conflict-theirs" className="text-lg font-semibold">
              {other.deleted ? 'Deleted version' : 'Current version'}
            </h3>
            <p className="text-muted text-sm">
              <When at={other.updatedAt} />
            </p>
          </div>
          {other.title && <p className="font-semibold wrap-anywhere">{other.title}</p>}
          <p className="wrap-anywhere whitespace-pre-wrap">{other.text}</p>
          {other.tags.length > 0 && (
            <p className="text-muted text-sm wrap-anywhere">Tags: {tagsText(other.tags)}</p>
          )}
          <div>
            {/* A document load, which discards what was typed here. */}
            <a
              className={buttonLook({ tone: 'secondary' })}
              href={other.deleted ? '/notes' : `/notes/${other.id}`}
              onClick={() => {
                setDiscarded(true);
              }}
            >
              {other.deleted ? 'Leave it deleted' : 'Use the current version'}
            </a>
          </div>
        </Card>
      </div>
    </section>
  );
}

function headingOf({ deleted }: AnyNote, isAddition: boolean): string {
  if (deleted) return 'This note was deleted in the meantime';
  return isAddition ? 'This note was already added' : 'This note was changed in the meantime';
}
