/**
 * Shares one event stream among all of a browser's tabs: the tab that holds a Web Lock listens, and
 * broadcasts to the others. In a frame that allows neither locks nor channels, each tab listens for
 * itself. Browser only.
 */
import { canListen, listenToEvents } from '@gatehouse/frame/browser';

export interface SharedEvents {
  address: string;
  /** Tabs with the same name share a stream. It must identify whose events these are. */
  name: string;
  /** The event's name. */
  event: string;
  onEvent: (data: string) => void;
  /** Whether events are currently arriving. */
  onLive: (isLive: boolean) => void;
  /**
   * The stream has ended: the site's reason, or `lost`. Not called in a waiting tab, which takes over the stream.
   */
  onEnd: (reason: string) => void;
  signal: AbortSignal;
}

type Message =
  | { type: 'event'; data: string }
  | { type: 'live' }
  | { type: 'end'; reason: string }
  /** A new tab asks whether anyone is listening. */
  | { type: 'hello' };

/**
 * Milliseconds of silence after which the listening tab is presumed gone. The site sends something
 * every ten seconds.
 */
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
  let state: 'waiting' | 'listening' | 'ended' = 'waiting';
  const leaving = new AbortController();
  let isLive = false;
  let timer: number | undefined;
  const hear = (live: boolean) => {
    window.clearTimeout(timer);
    isLive = live;
    onLive(live);
    if (live && state !== 'listening') timer = window.setTimeout(hear, silence, false);
  };
  channel.onmessage = ({ data: message }: MessageEvent<Message>) => {
    if (message.type === 'hello') {
      if (state === 'listening' && isLive) tell({ type: 'live' });
    } else if (message.type === 'end') {
      if (state !== 'waiting') return;
      hear(false);
      // Otherwise the lock is free now, and this tab listens next.
      if (message.reason !== 'unauthorized') return;
      state = 'ended';
      leaving.abort();
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
    state = 'listening';
    await listen({ ...options, onLive: hear }, tell);
    state = 'ended';
  };
  const until = AbortSignal.any([signal, leaving.signal]);
  locks
    .request(name, { signal: until }, listenHere)
    // Rejected without storage access, unless it was aborted while waiting for the lock.
    .catch(() => (until.aborted ? undefined : listenHere()));
}

/** @returns when the stream has ended. */
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

/** Null if this frame has no access to channels. A lock is denied only when requested. */
function openParts(name: string): { locks: LockManager; channel: BroadcastChannel } | null {
  try {
    const { locks } = navigator;
    // Web Locks exist only in secure contexts.
    return (locks as LockManager | undefined)
      ? { locks, channel: new BroadcastChannel(name) }
      : null;
  } catch {
    return null;
  }
}
