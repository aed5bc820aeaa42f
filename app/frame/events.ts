/** Server-sent events of the site's own `/api/` addresses. */
import { localApiUrl } from './api';

export interface EventListeners {
  /** What is to be done with each kind of event. */
  on: Record<string, (data: string) => void>;
  /** The server answers: also after a connection that was lost. */
  onOpen: () => void;
  /**
   * @param isFinal whether the browser gives up, as after a status that is not 200. Else it connects again by itself.
   */
  onLost: (isFinal: boolean) => void;
  /** Ends it. */
  signal: AbortSignal;
}

/** Whether this browser can listen at all. */
export function canListen(): boolean {
  return typeof EventSource !== 'undefined';
}

/**
 * Listens with the visitor's session. Browser only.
 *
 * @throws {Error} only for an address of another origin or outside `/api/`.
 */
export function listenToEvents(address: string, listeners: EventListeners): void {
  const { on, onOpen, onLost, signal } = listeners;
  const url = localApiUrl(address);
  if (!url) throw new Error('Events require an app-local /api/... URL');
  if (signal.aborted) return;
  const source = new EventSource(url.href, { withCredentials: true });
  for (const [name, listen] of Object.entries(on)) {
    source.addEventListener(name, ({ data }: MessageEvent<string>) => {
      listen(data);
    });
  }
  source.onopen = onOpen;
  source.onerror = () => {
    onLost(source.readyState === EventSource.CLOSED);
  };
  signal.addEventListener('abort', () => {
    source.close();
  });
}
