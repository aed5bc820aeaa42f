/** A prompt of the order. */
import { X } from 'lucide-react';
import { useEffect, useRef, type Dispatch } from 'react';
import { inputLength, isBlank, lengthOf, truncate } from '@gatehouse/frame';
import { promptMaxLength } from '~/platform/generations/generations';
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
  const full = lengthOf(text) >= promptMaxLength;
  const write = (field: HTMLTextAreaElement) => {
    limit(field);
    change({ type: 'write', key, text: field.value });
  };
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
          {...(!isBlank(text) && { name: 'prompt' })}
          value={text}
          onChange={({ target, nativeEvent }) => {
            // An input method would lose what it is composing.
            if ((nativeEvent as InputEvent).isComposing) {
              change({ type: 'write', key, text: target.value });
            } else write(target);
          }}
          onCompositionEnd={({ currentTarget }) => {
            write(currentTarget);
          }}
          readOnly={readOnly}
          rows={count > 1 ? 2 : 3}
          maxLength={inputLength(promptMaxLength)}
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

/** As `maxlength` does, but in characters: of what was typed or pasted, what is too much is left out. */
function limit(field: HTMLTextAreaElement): void {
  if (lengthOf(field.value) <= promptMaxLength) return;
  const before = field.value.slice(0, field.selectionEnd);
  const after = field.value.slice(field.selectionEnd);
  const kept = truncate(before, Math.max(0, promptMaxLength - lengthOf(after)));
  field.value = kept + after;
  field.setSelectionRange(kept.length, kept.length);
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
