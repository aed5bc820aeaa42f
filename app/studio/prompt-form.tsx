/** Asks for a picture. Usable once the browser has confirmed who asks; without a script, at once. */
import { getFormProps, getTextareaProps, useForm, type SubmissionResult } from '@conform-to/react';
import { Form, useNavigation } from '@remix-run/react';
import { Sparkles } from 'lucide-react';
import { useCallback, useState } from 'react';
import { promptMaxLength } from '~/platform/sdk/sdk';
import { Button } from '~/ui/button';
import { useDraft } from '~/shell/use-draft';
import { controlLook, Field } from '~/ui/field';

const label = 'What should the picture show?';
const fullHint = `That is all that fits: ${promptMaxLength} characters.`;
const placeholder = 'A lighthouse in a storm, seen from the sea';

export interface PromptFormProps {
  usable: boolean;
  /** The platform does not answer: whoever was typing may go on, and can send once it is back. */
  lost: boolean;
  /** Whose page this is: what is sent from it is theirs, or refused. */
  account: string;
  /** To display; null where they are not known. */
  credits: number | null;
  /** What the last submission came to. */
  lastResult: SubmissionResult | null | undefined;
}

export function PromptForm({ usable, lost, account, credits, lastResult }: PromptFormProps) {
  const submitting = useNavigation().formMethod === 'POST';
  const [form, fields] = useForm<{ prompt: string }>({
    id: 'prompt-form',
    lastResult,
    constraint: { prompt: { required: true, maxLength: promptMaxLength } },
  });
  const { key, defaultValue, ...textarea } = getTextareaProps(fields.prompt);
  const { onSubmit, ...formProps } = getFormProps(form);
  // How much was typed since the last answer. While that is something, the answer's errors are hidden.
  const [typed, setTyped] = useState({ since: lastResult, length: 0 });
  // Only a new answer resets it: Remix drops the old one whenever the loaders run again.
  if (lastResult && lastResult !== typed.since) setTyped({ since: lastResult, length: 0 });
  const setLength = useCallback((length: number) => {
    setTyped(({ since }) => ({ since, length }));
  }, []);
  const errors = submitting || typed.length > 0 ? undefined : (fields.prompt.errors ?? form.errors);
  const full = typed.length >= promptMaxLength;
  const field = useDraft('studio-prompt', usable, account, setLength);
  const [begun, setBegun] = useState(usable);
  const open = usable || (lost && begun);
  if (open !== begun) setBegun(open);
  return (
    <Form
      method="post"
      // Without the cursor of an older page: a new picture is among the newest.
      action="/studio"
      {...formProps}
      onSubmit={(event) => {
        // Read-only rather than disabled while it sends: a disabled field would lose the focus.
        if (submitting) event.preventDefault();
        else onSubmit(event);
      }}
    >
      <fieldset disabled={!open} className="grid gap-4">
        <input type="hidden" name="account" value={account} />
        <Field id={textarea.id} label={label} hint={full ? fullHint : undefined} errors={errors}>
          <textarea
            key={key}
            {...textarea}
            ref={field}
            {...(defaultValue !== undefined && { defaultValue })}
            aria-invalid={errors ? true : undefined}
            aria-describedby={`${textarea.id}-hint ${textarea.id}-error`}
            onInput={({ currentTarget }) => {
              setLength(currentTarget.value.length);
            }}
            readOnly={submitting}
            rows={3}
            placeholder={placeholder}
            className={controlLook}
          />
        </Field>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <GenerateButton busy={submitting} disabled={!usable} />
          {credits !== null && <p className="text-muted text-sm">Credits left: {credits}</p>}
        </div>
      </fieldset>
    </Form>
  );
}

/**
 * The same form for a browser that runs no script. It stands inside `<noscript>`, where it is inert
 * for every other browser; the page was made from the platform's own word in the same request.
 */
export function PlainPromptForm({
  account,
  lastResult,
}: Pick<PromptFormProps, 'account' | 'lastResult'>) {
  const error = [...Object.values(lastResult?.error ?? {})].flat().join(' ');
  const prompt = lastResult?.initialValue?.['prompt'];
  return (
    <form method="post" className="grid gap-4">
      <input type="hidden" name="account" value={account} />
      <Field id="plain-prompt" label={label} errors={error ? [error] : undefined}>
        <textarea
          id="plain-prompt"
          name="prompt"
          rows={3}
          required
          maxLength={promptMaxLength}
          placeholder={placeholder}
          defaultValue={typeof prompt === 'string' ? prompt : ''}
          aria-invalid={error ? true : undefined}
          aria-describedby="plain-prompt-error"
          className={controlLook}
        />
      </Field>
      <GenerateButton />
    </form>
  );
}

function GenerateButton({ busy = false, disabled = false }) {
  return (
    <Button
      type="submit"
      disabled={disabled}
      aria-disabled={busy || undefined}
      className="justify-self-start"
    >
      <Sparkles aria-hidden />
      {busy ? 'Sending…' : 'Generate'}
    </Button>
  );
}
