/** Keeps the keyboard's place when the focused element disappears, as after deleting an item. */
import { useEffect, useRef } from 'react';

/**
 * Moves focus to an element when a render has removed the focused one. Browsers would move it to the
 * top of the page instead, and screen readers would read nothing.
 *
 * @returns the ref of an element that stays and can have the focus: a control, or one with
 *   `tabIndex={-1}`.
 */
export function useLostFocus<T extends HTMLElement>() {
  const place = useRef<T>(null);
  const focused = useRef<Node | null>(null);
  useEffect(() => {
    const gained = ({ target }: FocusEvent) => (focused.current = target as Node);
    const lost = ({ target }: FocusEvent) => {
      // Chromium also fires this for an element that is about to be removed, or has just been disabled, such as a button
      // whose request runs: it may be gone with the response.
      queueMicrotask(() => {
        const isLeft =
          target instanceof Element && target.isConnected && !target.matches(':disabled');
        if (focused.current === target && isLeft) focused.current = null;
      });
    };
    document.addEventListener('focusin', gained);
    document.addEventListener('focusout', lost);
    return () => {
      document.removeEventListener('focusin', gained);
      document.removeEventListener('focusout', lost);
    };
  }, []);
  useEffect(() => {
    if (focused.current === null || focused.current.isConnected) return;
    focused.current = null;
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  });
  return place;
}
