/** What pages may know of the visitor's site account. */
export type AccountState =
  | { status: 'signed-in'; name: string; email: string }
  | { status: 'signed-out' }
  /** The store does not answer. */
  | { status: 'unavailable' };
