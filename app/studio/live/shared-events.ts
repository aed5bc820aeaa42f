/**
 * One stream of events for all tabs of a browser: the tab that holds a lock listens to the site, and tells the others
 * by a channel. Where a frame may have neither, each tab listens for itself. Browser only.
 */
import { canListen, listenToEvents } from '~/frame/events';

export interface SharedEvents {
  address: string;
  /** Tabs that say the same listen together: it holds whose events these are. */
  name: string;
  /** The data of each event that is called this. */
  event: string;
  onEvent: (data: string) => void;
  /** Whether events come at the moment. */
  onLive: (isLive: boolean) => void;
  /** There will be no more. The site's reason, or `lost`. */
  onEnd: (reason: string) => void;
  signal: AbortSignal;
}

type Message =
  | { type: 'event'; data: string }
  | { type: 'live' }
  | { type: 'end'; reason: string }
  /** A tab has come, and wants to know whether anybody listens. */
  | { type: 'hello' };

/** Milliseconds of silence after which nobody seems to listen. The site says something each ten seconds. */
const silence = 25_000;

export function shareEvents(options: SharedEvents): void {
  const { name, onEvent, onLive, onEnd, signal } = options;
  if (!canListen()) return;
  const parts = openParts(name);
  if (!parts) {
    void listen(options, () => undefined);
    return;
  }

  const { locks, channel } = parts;
  let isListening = false;
  let isLive = false;
  let timer: number | undefined;
  const hear = (live: boolean) => {
    window.clearTimeout(timer);
    isLive = live;
    onLive(live);
    if (live && !isListening) timer = window.setTimeout(hear, silence, false);
  };
  channel.onmessage = ({ data: message }: MessageEvent<Message>) => {
    if (message.type === 'hello') {
      if (isListening && isLive) tell({ type: 'live' });
    } else if (message.type === 'end') {
      hear(false);
      onEnd(message.reason);
    } else {
      hear(true);
      if (message.type === 'event') onEvent(message.data);
    }
  };
  const tell = (message: Message) => {
    if (!signal.aborted) channel.postMessage(message);
  };
  signal.addEventListener('abort', () => {
    window.clearTimeout(timer);
    channel.close();
  });

  tell({ type: 'hello' });
  const listenHere = async () => {
    isListening = true;
    await listen({ ...options, onLive: hear }, tell);
    isListening = false;
  };
  locks
    .request(name, { signal }, listenHere)
    // Refused for want of storage, unless it was aborted while it waited for its turn.
    .catch(() => (signal.aborted ? undefined : listenHere()));
}

/** @returns when there is nothing more to hear. */
function listen(
  { address, event, onEvent, onLive, onEnd, signal }: SharedEvents,
  tell: (message: Message) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const ended = new AbortController();
    const alive = () => {
      onLive(true);
      tell({ type: 'live' });
    };
    const end = (reason: string) => {
      ended.abort();
      onLive(false);
      onEnd(reason);
      tell({ type: 'end', reason });
      resolve();
    };
    listenToEvents(address, {
      signal: AbortSignal.any([signal, ended.signal]),
      onOpen: alive,
      onLost: (isFinal) => {
        if (isFinal) end('lost');
        else onLive(false);
      },
      on: {
        ping: alive,
        end,
        [event]: (data) => {
          onEvent(data);
          tell({ type: 'event', data });
        },
      },
    });
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
}

/** Null where this frame may have no channel. A lock is refused when it is asked for. */
function openParts(name: string): { locks: LockManager; channel: BroadcastChannel } | null {
  try {
    const { locks } = navigator;
    // Outside a secure context there are none.
    return (locks as LockManager | undefined)
      ? { locks, channel: new BroadcastChannel(name) }
      : null;
  } catch {
    return null;
  }
}
