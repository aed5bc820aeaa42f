/** Whoever signs out leaves no draft and no open events behind. A file of its own, since every header loads it. */

/** Tells the open page that its visitor is signing out. Browser only. */
export function tellSigningOut(): void {
  window.dispatchEvent(new Event(signingOut));
}

/** @returns ends the subscription. */
export function onSigningOut(listener: () => void): () => void {
  window.addEventListener(signingOut, listener);
  return () => {
    window.removeEventListener(signingOut, listener);
  };
}

const signingOut = 'signing-out';
