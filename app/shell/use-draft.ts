/** A text field whose words outlive a sign-in that leaves the page. */
import { useEffect, useRef } from 'react';
import { keepDraft, takeDraft } from '~/frame/draft';

/**
 * Keeps what is in the field when the page is left without its visitor, as for sign-in, and brings
 * it back to them. Nobody else finds it there.
 *
 * @param name the field's name: one draft is kept for each.
 * @param usable whether the browser has confirmed who the visitor is.
 * @param account the key of the profile whose page this is.
 * @param setLength is called with the new length wherever this changes the field.
 * @returns the field's ref.
 */
export function useDraft(
  name: string,
  usable: boolean,
  account: string,
  setLength: (length: number) => void,
) {
  const field = useRef<HTMLTextAreaElement>(null);
  // Once the session has ended, the page no longer says whose the words are.
  const author = useRef(account);
  useEffect(() => {
    if (usable) {
      const draft = takeDraft(name, account);
      if (!field.current) return;
      const fill = (element: HTMLTextAreaElement, words: string) => {
        element.value = words;
        setLength(words.length);
      };
      if (author.current !== account) fill(field.current, '');
      author.current = account;
      if (draft !== null && !field.current.value)
        fill(field.current, fitting(draft, field.current));
      return;
    }
    const leave = () => {
      keepDraft(name, author.current, field.current?.value ?? '');
    };
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
    };
  }, [name, usable, account, setLength]);
  return field;
}

/** A script may put more into a field than its visitor could type. */
function fitting(words: string, { maxLength }: HTMLTextAreaElement): string {
  return maxLength < 0 ? words : words.slice(0, maxLength);
}
