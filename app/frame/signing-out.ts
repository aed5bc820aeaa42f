/**
 * The event by which an open page drops drafts and closes event streams on sign-out. A separate
 * file, because every page header loads it.
 */

/** Announces to the open page that its visitor is signing out. Browser only. */
export function tellSigningOut(): void {
  window.dispatchEvent(new Event(signingOut));
}

/** @returns a function that unsubscribes. */
export function onSigningOut(listener: () => void): () => void {
  window.addEventListener(signingOut, listener);
  return () => {
    window.removeEventListener(signingOut, listener);
  };
}

const signingOut = 'signing-out';
