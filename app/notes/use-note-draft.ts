/** Keeps an unsent note through sign-in, a reload and navigation to another page. */
import { useNavigation } from '@remix-run/react';
import type { RefObject } from 'react';
import { useFormDraft, type FormDraft } from '@gatehouse/frame/react';

export interface NoteDraftOptions extends Pick<FormDraft, 'name' | 'account' | 'onRestore'> {
  /** The `intent` that the form submits. */
  intent: string;
  /** The stored fields, which are no draft. */
  stored: { title: string; text: string; tags: string };
  /** The version that is being edited. Absent for a new note. */
  version: string | undefined;
  /** False once the author has chosen to discard the form's content. */
  isKept: boolean;
}

/**
 * @returns the version that the form's content is based on: a restored draft may be older than the
 *   page, and saving it must conflict with newer changes.
 */
export function useNoteDraft(
  form: RefObject<HTMLFormElement | null>,
  { name, account, stored, version, isKept, intent, onRestore }: NoteDraftOptions,
): string | undefined {
  const isLeft = useIsLeft(intent);
  const restored = useFormDraft(form, {
    name,
    account,
    stored,
    more: version === undefined ? undefined : { version },
    isSent: !isKept || isLeft,
    onRestore,
  });
  return version === undefined ? undefined : (restored?.['version'] ?? version);
}

/** Whether the form has been accepted. */
function useIsLeft(intent: string): boolean {
  const { state, formData, location } = useNavigation();
  // A submission whose session has ended is redirected to sign-in instead.
  return (
    state === 'loading' && formData?.get('intent') === intent && location.pathname !== '/sign-in'
  );
}
