/** Keeps an unsent note through sign-in, a reload and navigation to another page. */
import { useNavigation } from '@remix-run/react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useDraft } from '@gatehouse/frame/react';

/** The fields of the note form, as text. */
export interface NoteFields {
  title: string;
  text: string;
  tags: string;
}

export interface NoteDraftOptions {
  /** One draft is kept for each name. */
  name: string;
  account: string;
  /** The `intent` that the form submits. */
  intent: string;
  /** The stored fields, which are no draft. */
  stored: NoteFields;
  /** The version that is being edited. Absent for a new note. */
  version: string | undefined;
  /** False once the author has chosen to discard the form's content. */
  isKept: boolean;
  /** Called when a draft was restored. */
  onRestore: (() => void) | undefined;
}

/**
 * @returns the version that the form's content is based on: a restored draft may be older than the
 *   page, and saving it must conflict with newer changes.
 */
export function useNoteDraft(
  attached: RefObject<HTMLFormElement>,
  options: NoteDraftOptions,
): string | undefined {
  const { name, account, stored, isKept, onRestore } = options;
  // The draft is read after React has detached the form.
  const form = useRef<HTMLFormElement | null>(null);
  useEffect(() => {
    form.current = attached.current;
  }, [attached]);
  const [restored, setRestored] = useState<string>();
  const version = restored ?? options.version;
  const isLeft = useIsLeft(options.intent);
  useDraft(name, true, account, {
    kind: 'site',
    read: () => {
      if (!isKept || isLeft || !form.current) return '';
      const fields = fieldsIn(form.current);
      if (areEqual(fields, stored)) return '';
      return JSON.stringify({ ...fields, ...(version !== undefined && { version }) });
    },
    restore: (kept) => {
      const draft = parseDraft(kept);
      if (!form.current || areEqual(draft, stored)) return;
      fill(form.current, draft);
      if (version !== undefined && draft.version !== undefined) setRestored(draft.version);
      onRestore?.();
    },
    clear: () => {
      if (form.current) fill(form.current, stored);
    },
  });
  return version;
}

/** Whether the form has been accepted. */
function useIsLeft(intent: string): boolean {
  const { state, formData, location } = useNavigation();
  // A submission whose session has ended is redirected to sign-in instead.
  return (
    state === 'loading' && formData?.get('intent') === intent && location.pathname !== '/sign-in'
  );
}

const names = ['title', 'text', 'tags'] as const;

function fieldsIn(form: HTMLFormElement): NoteFields {
  const given = new FormData(form);
  const [title, text, tags] = names.map((name) => {
    const value = given.get(name);
    return typeof value === 'string' ? value : '';
  });
  return { title: title ?? '', text: text ?? '', tags: tags ?? '' };
}

function fill(form: HTMLFormElement, fields: NoteFields): void {
  for (const name of names) {
    const control = form.elements.namedItem(name);
    if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) {
      control.value = fields[name];
    }
  }
}

function areEqual(fields: NoteFields, other: NoteFields): boolean {
  // Form data has CRLF line endings in some browsers, and stored text has none.
  return names.every((name) => fields[name].replaceAll('\r\n', '\n') === other[name]);
}

function parseDraft(kept: string): NoteFields & { version?: string } {
  let draft: Partial<Record<keyof NoteFields | 'version', unknown>> | null;
  try {
    draft = JSON.parse(kept) as typeof draft;
  } catch {
    draft = null;
  }
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    title: textOf(draft?.title),
    text: textOf(draft?.text),
    tags: textOf(draft?.tags),
    ...(typeof draft?.version === 'string' && { version: draft.version }),
  };
}
