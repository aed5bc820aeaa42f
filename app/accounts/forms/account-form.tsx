/**
 * A form of the account pages: labelled fields with their errors, the first invalid one focused.
 * Validated on the server, so it also works without JavaScript.
 */
import { getFormProps, useForm, type SubmissionResult } from '@conform-to/react';
import { Form, useNavigation } from '@remix-run/react';
import { useEffect, type HTMLInputAutoCompleteAttribute } from 'react';
import { inputLength } from '@gatehouse/frame';
import { Button } from '~/ui/button';
import { controlLook, Field } from '~/ui/field';

export interface FormField {
  name: string;
  label: string;
  type: 'email' | 'password' | 'text';
  autoComplete: HTMLInputAutoCompleteAttribute;
  hint?: string;
  defaultValue?: string;
  /** In characters. */
  maxLength?: number;
}

/** The result of the page's last submission. */
export interface FormResult {
  intent: string;
  result: SubmissionResult | null;
  message: string | null;
}

/** The submit button. */
interface SubmitLook {
  label: string;
  /** While submitting. */
  busy: string;
  tone?: 'primary' | 'secondary';
}

export interface AccountFormProps {
  /** Distinguishes the forms on one page. */
  intent: string;
  fields: readonly FormField[];
  submit: SubmitLook;
  result: FormResult | undefined;
  /** Hidden fields. */
  hidden?: Record<string, string>;
}

export function AccountForm({
  intent,
  fields: described,
  submit: { label, busy, tone = 'primary' },
  result,
  hidden = {},
}: AccountFormProps) {
  const own = result?.intent === intent ? result : undefined;
  const navigation = useNavigation();
  const submitting =
    navigation.formMethod === 'POST' && navigation.formData?.get('intent') === intent;
  const [form, fields] = useForm<Record<string, string>>({
    id: `${intent}-form`,
    lastResult: own?.result ?? null,
  });
  const { onSubmit, ...formProps } = getFormProps(form);
  // Clears passwords, and leaves the focus where it is.
  useEffect(() => {
    if (!own?.message) return;
    const element = document.getElementById(form.id);
    if (element instanceof HTMLFormElement) element.reset();
  }, [own, form.id]);
  return (
    <Form
      method="post"
      {...formProps}
      onSubmit={(event) => {
        if (submitting) event.preventDefault();
        else onSubmit(event);
      }}
      className="grid gap-5"
    >
      <input type="hidden" name="intent" value={intent} />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {described.map(({ name, label: fieldLabel, hint, defaultValue, maxLength, ...input }) => {
        const field = fields[name];
        const id = `${intent}-${name}`;
        const errors = submitting ? undefined : field?.errors;
        const given = own?.result?.initialValue?.[name];
        return (
          <Field
            key={name}
            id={id}
            label={fieldLabel}
            hint={errors ? undefined : hint}
            errors={errors}
          >
            <input
              {...input}
              maxLength={maxLength && inputLength(maxLength)}
              id={id}
              name={name}
              required
              defaultValue={typeof given === 'string' ? given : defaultValue}
              readOnly={submitting}
              aria-invalid={errors ? true : undefined}
              aria-describedby={`${id}-hint ${id}-error`}
              className={controlLook}
            />
          </Field>
        );
      })}
      <div role="alert" className="text-danger text-sm font-medium empty:hidden">
        {submitting ? undefined : form.errors?.join(' ')}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" tone={tone} aria-disabled={submitting || undefined}>
          {submitting ? busy : label}
        </Button>
        <p role="status" className="text-sm empty:hidden">
          {submitting ? undefined : own?.message}
        </p>
      </div>
    </Form>
  );
}
