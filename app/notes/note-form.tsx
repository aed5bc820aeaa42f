/** The form for writing a note. Validated on the server, so it also works without JavaScript. */
import { getFormProps, useForm } from '@conform-to/react';
import { Form, useNavigation } from '@remix-run/react';
import { useRef, type ReactNode } from 'react';
import { inputLength } from '@gatehouse/frame';
import { Button } from '~/ui/button';
import { controlLook, Field } from '~/ui/field';
import type { NotesReply } from './note-replies.server';
import { useNoteDraft, type NoteDraftOptions } from './use-note-draft';
import { mostTags, noteLimits, tagsText, type NoteWords } from './note';

export interface NoteFormProps {
  /** Hidden fields. The intent distinguishes the forms on one page. */
  hidden: { intent: 'add' | 'save'; account: string; id?: string; version?: string };
  /** The note being edited, with its words as initial values; absent for a new one. */
  note?: { id: string; words?: NoteWords };
  /** The submit button, also while submitting. */
  submit: { label: string; busy: string };
  reply: Pick<NotesReply, 'result'> | undefined;
  /** How unsent input is treated. */
  draft?: Partial<Pick<NoteDraftOptions, 'isKept' | 'onRestore'>>;
  /** Rendered beside the button. */
  children?: ReactNode;
}

export function NoteForm(props: NoteFormProps) {
  const { hidden, note, submit, reply, draft, children } = props;
  const { intent } = hidden;
  const words = note?.words;
  const navigation = useNavigation();
  const submitting =
    navigation.formMethod === 'POST' && navigation.formData?.get('intent') === intent;
  const [form, fields] = useForm<Record<'title' | 'text' | 'tags', string>>({
    id: `${intent}-form`,
    lastResult: reply?.result ?? null,
  });
  const { onSubmit, ...formProps } = getFormProps(form);
  const element = useRef<HTMLFormElement>(null);
  const version = useNoteDraft(element, {
    name: intent === 'add' ? 'new-note' : `note-${note?.id ?? ''}`,
    account: hidden.account,
    intent,
    stored: {
      title: words?.title ?? '',
      text: words?.text ?? '',
      tags: tagsText(words?.tags ?? []),
    },
    version: hidden.version,
    isKept: true,
    onRestore: undefined,
    ...draft,
  });
  const fixed = {
    ...hidden,
    ...(version !== undefined && { version }),
  };
  const control = (name: 'title' | 'text' | 'tags', first: string | undefined) => {
    const errors = submitting ? undefined : fields[name].errors;
    const given = reply?.result?.initialValue?.[name];
    const id = `${intent}-${name}`;
    return {
      field: { id, errors },
      input: {
        id,
        name,
        defaultValue: typeof given === 'string' ? given : first,
        readOnly: submitting,
        'aria-invalid': errors ? true : undefined,
        'aria-describedby': `${id}-hint ${id}-error`,
        className: controlLook,
      },
    };
  };
  const title = control('title', words?.title);
  const text = control('text', words?.text);
  const tags = control('tags', words && tagsText(words.tags));
  return (
    <Form
      method="post"
      action={note === undefined ? '/notes' : `/notes/${note.id}`}
      {...formProps}
      ref={element}
      onSubmit={(event) => {
        if (submitting) event.preventDefault();
        else onSubmit(event);
      }}
      className="grid gap-5"
    >
      {Object.entries(fixed).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Field {...title.field} label="Title">
        <input
          {...title.input}
          type="text"
          maxLength={inputLength(noteLimits.title)}
          autoComplete="off"
        />
      </Field>
      <Field {...text.field} label="Text">
        <textarea {...text.input} rows={8} maxLength={inputLength(noteLimits.text)} />
      </Field>
      <Field
        {...tags.field}
        label="Tags"
        hint={tags.field.errors ? undefined : `Separated by commas, at most ${mostTags}.`}
      >
        <input
          {...tags.input}
          type="text"
          maxLength={inputLength(mostTags * (noteLimits.tag + ', '.length))}
          autoComplete="off"
        />
      </Field>
      <div role="alert" className="text-danger text-sm font-medium empty:hidden">
        {submitting ? undefined : form.errors?.join(' ')}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" aria-disabled={submitting || undefined}>
          {submitting ? submit.busy : submit.label}
        </Button>
        {children}
      </div>
    </Form>
  );
}
