/** Server-sent events from the site's own `/api/` routes. */
import { localApiUrl } from './api.ts';

export interface EventListeners {
  /** One handler for each event name. */
  on: Record<string, (data: string) => void>;
  /** The connection is open, for the first time or again. */
  onOpen: () => void;
  /**
   * The connection was lost.
   *
   * @param isFinal whether the browser has given up, as after a status other than 200. Otherwise it
   *   reconnects by itself.
   */
  onLost: (isFinal: boolean) => void;
  /** Closes the connection. */
  signal: AbortSignal;
}

/** Whether this browser supports `EventSource`. */
export function canListen(): boolean {
  return typeof EventSource !== 'undefined';
}

/**
 * Opens an event stream with the visitor's session. Browser only.
 *
 * @throws {Error} only for an address on another origin or outside `/api/`.
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
