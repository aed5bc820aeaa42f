/** Keeps unsent form input through sign-in, a reload and navigation to another page. */
import { useEffect, useRef } from 'react';
import { keepDraft, takeDraft } from '../browser/draft.ts';
import { onSigningOut, type AccountKind } from '../browser/signing-out.ts';

export interface Draft {
  /** The kind of account that the draft belongs to: signing out of it deletes the draft. */
  kind: AccountKind;
  /** The form's content as text; empty if there is none. */
  read: () => string;
  /** Restores what {@link read} returned. */
  restore: (kept: string) => void;
  /** Empties the form, because another account is signed in. */
  clear: () => void;
}

/**
 * Keeps a form's content when the page is left, and restores it for the same account only.
 *
 * @param name the form's name: one draft is kept for each.
 * @param usable whether the browser has confirmed who the visitor is.
 * @param account the key of the visitor's profile.
 */
export function useDraft(name: string, usable: boolean, account: string, draft: Draft): void {
  const form = useRef(draft);
  useEffect(() => {
    form.current = draft;
  });
  // After the session ends, `account` no longer tells whose input it is.
  const author = useRef(account);
  const hasTaken = useRef(false);
  useEffect(() => {
    if (!usable) return;
    const kept = takeDraft(name, account);
    hasTaken.current = true;
    if (author.current !== account) form.current.clear();
    author.current = account;
    if (kept !== null && !form.current.read()) form.current.restore(kept);
  }, [name, usable, account]);
  useEffect(() => {
    let isKept = true;
    const leave = () => {
      const words = form.current.read();
      // Until it was taken, a blank form says nothing about the draft that is kept.
      if (isKept && (hasTaken.current || words)) keepDraft(name, author.current, words);
    };
    const stop = onSigningOut(form.current.kind, () => (isKept = false));
    window.addEventListener('pagehide', leave);
    return () => {
      stop();
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [name]);
}
