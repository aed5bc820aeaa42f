/**
 * A choice among a few visible options. Radio buttons, so it submits with a form, supports arrow
 * keys and needs no JavaScript.
 */
import type { ReactNode } from 'react';

export interface ChoiceProps<Value extends string> {
  name: string;
  legend: string;
  options: readonly { value: Value; label: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
}

export function Choice<Value extends string>({
  name,
  legend,
  options,
  value,
  onChange,
}: ChoiceProps<Value>) {
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-2 font-medium">{legend}</legend>
      <div className="border-line bg-sunken flex w-fit flex-wrap gap-1 rounded-2xl border p-1">
        {options.map((option) => (
          <label
            key={option.value}
            className="text-muted has-checked:bg-surface has-checked:text-ink has-focus-visible:outline-accent has-checked:shadow-card inline-flex min-h-9 cursor-pointer items-center gap-2 rounded-xl px-3 text-sm has-checked:font-medium has-focus-visible:outline-2 has-disabled:cursor-not-allowed has-disabled:opacity-60 forced-colors:has-checked:outline-2 [&_svg]:size-4"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => {
                onChange(option.value);
              }}
              className="sr-only"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
