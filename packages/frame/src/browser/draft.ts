/**
 * Unsent form input, kept while the visitor leaves the page, as for sign-in or a reload.
 *
 * A draft belongs to the account that typed it. The next page that has confirmed its visitor takes
 * it: the same account gets it back once; for any other account it is deleted unseen. In a frame
 * without storage access, drafts are lost.
 */

/**
 * @param field the name of the field, such as `message`: one draft is kept for each.
 * @param account the profile's key. Nothing is kept for a profile without one.
 * @param words if blank, what was kept before is deleted.
 */
export function keepDraft(field: string, account: string, words: string): void {
  if (!account) return;
  try {
    if (words.trim()) {
      window.sessionStorage.setItem(keyOf(field), JSON.stringify({ account, words }));
    } else window.sessionStorage.removeItem(keyOf(field));
  } catch {
    // Storage is denied or full.
  }
}

/** Returns this account's draft, or null. Any account's draft is deleted. */
export function takeDraft(field: string, account: string): string | null {
  try {
    const kept = window.sessionStorage.getItem(keyOf(field));
    window.sessionStorage.removeItem(keyOf(field));
    const draft = JSON.parse(kept ?? 'null') as { account?: unknown; words?: unknown } | null;
    if (!account || draft?.account !== account || typeof draft.words !== 'string') return null;
    return draft.words;
  } catch {
    return null;
  }
}

const keyOf = (field: string) => `draft:${field}`;
