/**
 * The event by which an open page drops drafts and closes event streams on sign-out. A separate
 * file, because every page header loads it.
 */

/** The kind of account that the visitor signs out of. */
export type AccountKind = 'platform' | 'site';

/** Announces to the open page that its visitor is signing out. Browser only. */
export function tellSigningOut(kind: AccountKind): void {
  window.dispatchEvent(new Event(signingOut + kind));
}

/** @returns a function that unsubscribes. */
export function onSigningOut(kind: AccountKind, listener: () => void): () => void {
  const event = signingOut + kind;
  window.addEventListener(event, listener);
  return () => {
    window.removeEventListener(event, listener);
  };
}

const signingOut = 'signing-out-';
