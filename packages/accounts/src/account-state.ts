/** What pages may know about the visitor's site account. */
export type AccountState =
  | { status: 'signed-in'; id: string; name: string; email: string }
  | { status: 'signed-out' }
  /** Not asked yet, for a page that caches may keep. */
  | { status: 'checking' }
  /** The store is unavailable. */
  | { status: 'unavailable' };
