/** A prompt of the order. */
import { X } from 'lucide-react';
import { useEffect, useRef, type Dispatch } from 'react';
import { promptMaxLength } from '~/platform/sdk/generations/generations';
import { Button } from '~/ui/button';
import { controlLook, Field } from '~/ui/field';
import type { OrderChange } from './order-draft';

export interface PromptFieldProps {
  prompt: { key: number; text: string };
  index: number;
  count: number;
  readOnly: boolean;
  errors: string[];
  change: Dispatch<OrderChange>;
}

export function PromptField({ prompt, index, count, readOnly, errors, change }: PromptFieldProps) {
  const { key, text } = prompt;
  const id = `prompt-${key}`;
  const field = useRef<HTMLTextAreaElement>(null);
  // Focus a prompt that was just added.
  const isAdded = index > 0 && text === '';
  useEffect(() => {
    if (isAdded) field.current?.focus();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- on mount only
  }, []);
  const full = text.length >= promptMaxLength;
  return (
    <div className="relative">
      <Field
        id={id}
        label={index === 0 ? promptLabel : `Prompt ${index + 1}`}
        hint={full ? `Limit reached: ${promptMaxLength} characters.` : undefined}
        errors={errors}
      >
        <textarea
          ref={field}
          id={id}
          dir="auto"
          // Blank prompts are not submitted.
          {...(text.trim() !== '' && { name: 'prompt' })}
          value={text}
          onChange={({ target }) => {
            change({ type: 'write', key, text: target.value });
          }}
          readOnly={readOnly}
          rows={count > 1 ? 2 : 3}
          maxLength={promptMaxLength}
          aria-invalid={errors.length > 0 || undefined}
          aria-describedby={`${id}-hint ${id}-error`}
          placeholder={examples[index]}
          className={controlLook}
        />
      </Field>
      {count > 1 && (
        <Button
          tone="quiet"
          size="icon"
          aria-label={`Remove prompt ${index + 1}`}
          className="absolute -top-2 right-0"
          onClick={(event) => {
            const others = event.currentTarget.form?.querySelectorAll('textarea');
            others?.[index === 0 ? 1 : index - 1]?.focus();
            change({ type: 'remove', key });
          }}
        >
          <X aria-hidden />
        </Button>
      )}
    </div>
  );
}

export const promptLabel = 'What do you want to see?';

export const examples = [
  'A lighthouse in a storm, seen from the sea',
  'The same lighthouse on a still morning',
  'Its keeper, climbing the stair with a lamp',
  'The view from the gallery at dusk',
  'Gulls around the lantern room',
  'The lamp, close up',
];
