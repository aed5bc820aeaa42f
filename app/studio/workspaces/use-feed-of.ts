/** Which workspace a loaded feed belongs to. */
import { useState } from 'react';

/**
 * @param feed as last loaded, from the workspace that was chosen on the platform by then.
 * @returns null while that is the feed of a workspace that the page has left.
 */
export function useFeedOf<T>(workspace: string, feed: T | null): T | null {
  const [last, setLast] = useState({ workspace, feed, left: null as T | null });
  if (workspace !== last.workspace) setLast({ workspace, feed, left: last.feed });
  else if (feed !== last.feed) setLast({ ...last, feed });
  return feed === last.left ? null : feed;
}
