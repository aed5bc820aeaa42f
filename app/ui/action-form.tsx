/**
 * A form of a page's action: labelled fields with their errors, the first invalid one focused. Validated on the
 * server, so it also works without JavaScript. What was typed is kept when it is refused, and through sign-in.
 */
import { getFormProps, useForm } from '@conform-to/react';
import { Form, useActionData, useLocation, useNavigation } from '@remix-run/react';
import { useEffect, useRef, type HTMLInputAutoCompleteAttribute } from 'react';
import type { FormReply } from '@gatehouse/accounts';
import { inputLength } from '@gatehouse/frame';
import { useFormDraft } from '@gatehouse/frame/react';
import { Button } from './button';
import { controlLook, Field } from './field';

export interface FormField {
  name: string;
  label: string;
  type?: 'email' | 'password' | 'text' | 'date' | 'number';
  /** Makes it a text area of so many lines. */
  rows?: number;
  /** Makes it a choice of these. */
  options?: readonly { value: string; label: string }[];
  /** Of a number or a date. */
  min?: number | string;
  max?: number | string;
  step?: number;
  autoComplete?: HTMLInputAutoCompleteAttribute;
  hint?: string;
  defaultValue?: string;
  /** In characters. */
  maxLength?: number;
  isOptional?: boolean;
}

/** The submit button. */
interface SubmitLook {
  label: string;
  /** While submitting. */
  busy: string;
  tone?: 'primary' | 'secondary';
}

export interface ActionFormProps {
  /** Distinguishes the forms on one page. */
  intent?: string;
  fields: readonly FormField[];
  submit: SubmitLook;
  /** Hidden fields. `account`: the id of the account whose page it is. */
  hidden?: Record<string, string>;
}

export function ActionForm({
  intent = '',
  fields: described,
  submit: { label, busy, tone = 'primary' },
  hidden = {},
}: ActionFormProps) {
  const reply = useActionData<FormReply>();
  const own = reply?.intent === intent ? reply : undefined;
  const navigation = useNavigation();
  const submitting = navigation.formData?.get('intent') === intent;
  const prefix = intent || 'form';
  const [form, fields] = useForm<Record<string, string>>({
    id: `${prefix}-form`,
    lastResult: own?.result ?? null,
  });
  const { onSubmit, ...formProps } = getFormProps(form);
  const element = useRef<HTMLFormElement>(null);
  useFormDraft(element, {
    name: `${useLocation().pathname} ${intent}`,
    account: hidden['account'],
    stored: Object.fromEntries(
      described.flatMap(({ name, type, options, defaultValue = options?.[0]?.value ?? '' }) =>
        type === 'password' ? [] : [[name, defaultValue]],
      ),
    ),
    isSent:
      submitting && navigation.state === 'loading' && navigation.location.pathname !== '/sign-in',
  });
  // Clears passwords, and leaves the focus where it is.
  useEffect(() => {
    if (own?.message) element.current?.reset();
  }, [own]);
  return (
    <Form
      method="post"
      {...formProps}
      ref={element}
      onSubmit={(event) => {
        if (submitting) event.preventDefault();
        else onSubmit(event);
      }}
      className="grid gap-5"
    >
      {Object.entries({ intent, ...hidden }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {described.map(({ name, label: fieldLabel, hint, isOptional, ...field }) => {
        const { defaultValue, maxLength, rows, options, ...input } = field;
        const id = `${prefix}-${name}`;
        const errors = submitting ? undefined : fields[name]?.errors;
        const given = field.type !== 'password' && own?.result?.initialValue?.[name];
        const typed = { maxLength: maxLength && inputLength(maxLength), readOnly: submitting };
        const control = {
          id,
          name,
          required: !isOptional,
          defaultValue: typeof given === 'string' ? given : defaultValue,
          'aria-invalid': errors ? true : undefined,
          'aria-describedby': `${id}-hint ${id}-error`,
          className: controlLook,
        };
        return (
          <Field
            key={name}
            id={id}
            label={fieldLabel}
            hint={errors ? undefined : hint}
            errors={errors}
          >
            {options ? (
              <select {...control}>
                {options.map((option) => (
                  <option key={option.value} value={option.value}>
                    {option.label}
                  </option>
                ))}
              </select>
            ) : rows ? (
              <textarea {...control} {...typed} rows={rows} />
            ) : (
              <input {...control} {...typed} {...input} />
            )}
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
