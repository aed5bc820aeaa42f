/** A labelled field for files, with its hint and errors. `FileDrop` beside it takes those that are dropped. */
import type { InputHTMLAttributes } from 'react';
import { controlLook, Field, type FieldProps } from './field';

type FileFieldProps = Omit<FieldProps, 'children'> &
  Pick<
    InputHTMLAttributes<HTMLInputElement>,
    'accept' | 'multiple' | 'name' | 'onChange' | 'required'
  >;

export function FileField({ id, label, hint, errors, ...input }: FileFieldProps) {
  return (
    <Field id={id} label={label} hint={hint} errors={errors}>
      <input
        {...input}
        id={id}
        type="file"
        aria-invalid={errors ? true : undefined}
        aria-describedby={`${id}-hint ${id}-error`}
        className={controlLook}
      />
    </Field>
  );
}
