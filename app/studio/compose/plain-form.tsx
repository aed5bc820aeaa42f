/**
 * The compose form without JavaScript: a single prompt. Rendered in `<noscript>`, and therefore
 * inert in every other browser; the server has checked the visitor in the same request.
 */
import type { SubmissionResult } from '@conform-to/react';
import { Sparkles } from 'lucide-react';
import { inputLength } from '@gatehouse/frame';
import { promptMaxLength } from '~/platform/generations/generations';
import { Button } from '~/ui/button';
import { controlLook, Field } from '~/ui/field';
import { examples, promptLabel } from './prompt-field';

export interface PlainFormProps {
  account: string;
  /** Empty for the workspace that is chosen on the platform. */
  workspace: string;
  /** Makes a repeated submission cost once. */
  orderKey: string;
  lastResult: SubmissionResult | null | undefined;
}

export function PlainForm({ account, workspace, orderKey, lastResult }: PlainFormProps) {
  const error = [...Object.values(lastResult?.error ?? {})].flat().join(' ');
  return (
    <form method="post" className="grid gap-4">
      <input type="hidden" name="account" value={account} />
      <input type="hidden" name="workspace" value={workspace} />
      <input type="hidden" name="key" value={orderKey} />
      <Field id="plain-prompt" label={promptLabel} errors={error ? [error] : undefined}>
        <textarea
          id="plain-prompt"
          name="prompt"
          dir="auto"
          rows={3}
          required
          maxLength={inputLength(promptMaxLength)}
          placeholder={examples[0]}
          defaultValue={wordsOf(lastResult)}
          aria-invalid={error ? true : undefined}
          aria-describedby="plain-prompt-error"
          className={controlLook}
        />
      </Field>
      <Button type="submit" className="justify-self-start">
        <Sparkles aria-hidden />
        Generate
      </Button>
    </form>
  );
}

/** The submitted prompt, from the last response. */
export function wordsOf(lastResult: SubmissionResult | null | undefined): string {
  const prompts = lastResult?.initialValue?.['prompts'];
  const words: unknown = Array.isArray(prompts) ? prompts[0] : prompts;
  return typeof words === 'string' ? words : '';
}
