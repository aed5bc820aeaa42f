/**
 * Words that were typed and not yet sent, kept while the page is left, as for sign-in or a reload.
 *
 * They belong to the account whose page they were typed in. The next page that knows its visitor
 * takes them: for that account they come back, once; for any other they are gone, and were never
 * shown. A browser that denies storage in a frame loses them.
 */

/**
 * @param field the name of the field, such as `message`: one draft is kept for each.
 * @param account the profile's key. Nothing is kept for a profile that has none.
 */
export function keepDraft(field: string, account: string, words: string): void {
  if (!account || !words.trim()) return;
  try {
    window.sessionStorage.setItem(keyOf(field), JSON.stringify({ account, words }));
  } catch {
    // Storage is denied, or full.
  }
}

/** What was kept for this account, or null. Nothing is kept afterwards, whoever it was of. */
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
