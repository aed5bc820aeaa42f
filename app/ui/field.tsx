/** A labelled control, with its hint and error associated. */
import { Label } from '@radix-ui/react-label';
import type { ReactNode } from 'react';

export interface FieldProps {
  /** The control's id. The hint is `<id>-hint`, the error `<id>-error`. */
  id: string;
  label: string;
  hint?: string | undefined;
  errors?: string[] | undefined;
  children: ReactNode;
}

export function Field({ id, label, hint, errors, children }: FieldProps) {
  return (
    <div className="grid gap-2">
      <Label htmlFor={id} className="font-medium">
        {label}
      </Label>
      {children}
      <div id={`${id}-hint`} aria-live="polite" className="text-muted text-sm empty:hidden">
        {hint}
      </div>
      <div
        id={`${id}-error`}
        aria-live="polite"
        className="text-danger text-sm font-medium empty:hidden"
      >
        {errors && errors.length > 1 ? <Problems all={errors} /> : errors?.[0]}
      </div>
    </div>
  );
}

function Problems({ all }: { all: readonly string[] }) {
  return (
    <ul className="grid list-disc gap-1 ps-5">
      {[...new Set(all)].map((problem) => (
        <li key={problem} className="wrap-anywhere">
          {problem}
        </li>
      ))}
    </ul>
  );
}

/** The look of a `textarea` or `input` inside a {@link Field}. */
export const controlLook =
  'border-line-strong bg-surface placeholder:text-muted aria-invalid:border-danger w-full rounded-xl border px-4 py-3 disabled:cursor-not-allowed disabled:opacity-60';
