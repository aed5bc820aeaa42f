/** Keeps what is typed into a form's own fields, whatever makes its page go away. */
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useDraft } from './use-draft.ts';

type Fields = Record<string, string>;

export interface FormDraft {
  /** One draft is kept for each name. */
  name: string;
  /** The id of the site account whose form it is. Without one, nothing is kept. */
  account: string | undefined;
  /** The stored value of each field to keep: these are no draft. Leave out secrets. */
  stored: Fields;
  /** Kept beside them, such as the version that is being edited. */
  more?: Fields | undefined;
  /** Whether the form has been accepted, or its content discarded. */
  isSent: boolean;
  /** Called when a draft was restored. */
  onRestore?: (() => void) | undefined;
}

/** @returns what was restored with the draft: its `more` may be older than the page's. */
export function useFormDraft(
  attached: RefObject<HTMLFormElement | null>,
  { name, account = '', stored, more, isSent, onRestore }: FormDraft,
): Fields | undefined {
  // The draft is read after React has detached the form.
  const form = useRef<HTMLFormElement | null>(null);
  useEffect(() => {
    form.current = attached.current;
  }, [attached]);
  const [restored, setRestored] = useState<Fields>();
  useDraft(name, true, account, {
    kind: 'site',
    read: () => {
      if (isSent || !form.current) return '';
      const typed = fieldsIn(form.current, stored);
      return areEqual(typed, stored) ? '' : JSON.stringify({ ...typed, ...more, ...restored });
    },
    restore: (kept) => {
      const { typed, others } = parseDraft(kept, stored);
      if (!form.current || areEqual(typed, stored)) return;
      fill(form.current, typed);
      setRestored(others);
      onRestore?.();
    },
    clear: () => {
      if (form.current) fill(form.current, stored);
    },
  });
  return restored;
}

function fieldsIn(form: HTMLFormElement, stored: Fields): Fields {
  const given = new FormData(form);
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  return Object.fromEntries(Object.keys(stored).map((name) => [name, textOf(given.get(name))]));
}

function fill(form: HTMLFormElement, fields: Fields): void {
  for (const [name, value] of Object.entries(fields)) {
    const control = form.elements.namedItem(name);
    if (control && 'value' in control) control.value = value;
  }
}

function areEqual(fields: Fields, other: Fields): boolean {
  // Form data has CRLF line endings in some browsers, and stored text has none.
  return Object.entries(fields).every(
    ([name, value]) => value.replaceAll('\r\n', '\n') === other[name],
  );
}

function parseDraft(kept: string, stored: Fields): { typed: Fields; others: Fields } {
  let draft: Record<string, unknown> | null;
  try {
    draft = JSON.parse(kept) as typeof draft;
  } catch {
    draft = null;
  }
  const texts = Object.entries(draft ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const none = Object.fromEntries(Object.keys(stored).map((name) => [name, '']));
  return {
    typed: { ...none, ...Object.fromEntries(texts.filter(([name]) => name in stored)) },
    others: Object.fromEntries(texts.filter(([name]) => !(name in stored))),
  };
}
