/** What was typed into a form and not yet sent outlives a sign-in, a reload and a look at another page. */
import { useEffect, useRef } from 'react';
import { keepDraft, takeDraft } from '~/frame/draft';
import { onSigningOut } from '~/frame/signing-out';

export interface Draft {
  /** What is in the form, as text; empty where that is nothing. */
  read: () => string;
  /** Puts back what {@link read} gave. */
  restore: (kept: string) => void;
  /** Empties the form: somebody else is signed in. */
  clear: () => void;
}

/**
 * Keeps what is in a form when the page is left, and brings it back to whoever typed it. Nobody else finds it there.
 *
 * @param name the form's name: one draft is kept for each.
 * @param usable whether the browser has confirmed who the visitor is.
 * @param account the key of the profile whose page this is.
 */
export function useDraft(name: string, usable: boolean, account: string, draft: Draft): void {
  const form = useRef(draft);
  useEffect(() => {
    form.current = draft;
  });
  // Once the session has ended, the page no longer says whose the words are.
  const author = useRef(account);
  useEffect(() => {
    if (!usable) return;
    const kept = takeDraft(name, account);
    if (author.current !== account) form.current.clear();
    author.current = account;
    if (kept !== null && !form.current.read()) form.current.restore(kept);
  }, [name, usable, account]);
  useEffect(() => {
    let isKept = true;
    const leave = () => {
      if (isKept) keepDraft(name, author.current, form.current.read());
    };
    const stop = onSigningOut(() => (isKept = false));
    window.addEventListener('pagehide', leave);
    return () => {
      stop();
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [name]);
}
