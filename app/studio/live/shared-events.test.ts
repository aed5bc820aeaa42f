// @vitest-environment happy-dom
/** Two tabs that share one stream of events, with doubles of what browsers share among tabs. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shareEvents } from './shared-events';

const sources: EventSourceDouble[] = [];
const channels = new Set<ChannelDouble>();
let mostOpen = 0;

const openSources = () =>
  sources.filter(({ readyState }) => readyState !== EventSourceDouble.CLOSED);

class EventSourceDouble {
  static readonly CLOSED = 2;
  readyState = 1;
  onopen: () => void = () => undefined;
  readonly listeners = new Map<string, (event: { data: string }) => void>();
  constructor() {
    sources.push(this);
    mostOpen = Math.max(mostOpen, openSources().length);
  }
  addEventListener(name: string, listener: (event: { data: string }) => void) {
    this.listeners.set(name, listener);
  }
  say(name: string, data: string) {
    this.listeners.get(name)?.({ data });
  }
  close() {
    this.readyState = EventSourceDouble.CLOSED;
  }
}

class ChannelDouble {
  onmessage: (event: { data: unknown }) => void = () => undefined;
  constructor() {
    channels.add(this);
  }
  postMessage(data: unknown) {
    for (const other of channels) if (other !== this) other.onmessage({ data });
  }
  close() {
    channels.delete(this);
  }
}

/** One lock. */
function locksDouble() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request(_: string, { signal }: { signal: AbortSignal }, listen: () => Promise<void>) {
      const turn = last.then(() => (signal.aborted ? undefined : listen()));
      last = turn;
      return turn;
    },
  };
}

let stop: AbortController;
beforeEach(() => {
  stop = new AbortController();
  vi.stubGlobal('EventSource', EventSourceDouble);
  vi.stubGlobal('BroadcastChannel', ChannelDouble);
  Object.defineProperty(navigator, 'locks', { value: locksDouble(), configurable: true });
});
afterEach(() => {
  stop.abort();
  sources.length = 0;
  mostOpen = 0;
});

function openTab({ signal } = stop) {
  const heard = { onEvent: vi.fn(), onLive: vi.fn(), onEnd: vi.fn() };
  const address = '/api/generations/events';
  shareEvents({ address, name: 'tabs', event: 'generation', signal, ...heard });
  return heard;
}

test('when a tab’s stream ends, the next tab listens, and keeps its stream', async () => {
  const first = openTab();
  const second = openTab();
  await vi.waitFor(() => {
    expect(sources).toHaveLength(1);
  });
  sources[0]?.onopen();
  expect(second.onLive).toHaveBeenLastCalledWith(true);
  sources[0]?.say('end', 'lifetime');
  expect(first.onEnd).toHaveBeenCalledWith('lifetime');
  await vi.waitFor(() => {
    expect(sources).toHaveLength(2);
  });
  sources[1]?.onopen();
  expect(second.onLive).toHaveBeenLastCalledWith(true);
  // It would open another stream after its end.
  expect(second.onEnd).not.toHaveBeenCalled();
  sources[1]?.say('generation', 'a fox');
  expect(first.onEvent).toHaveBeenCalledWith('a fox');
});

test('when the session has ended, no other tab asks for its events', async () => {
  openTab();
  const second = openTab();
  await vi.waitFor(() => {
    expect(sources).toHaveLength(1);
  });
  sources[0]?.say('end', 'unauthorized');
  expect(second.onEnd).toHaveBeenCalledWith('unauthorized');
  // As long as it takes to get the lock.
  await (navigator.locks.request(
    'tabs',
    { signal: stop.signal },
    () => undefined,
  ) as Promise<unknown>);
  expect(sources).toHaveLength(1);
});

test('fifty tabs hold one stream, and never two, as one after another is closed', async () => {
  const tabs = Array.from({ length: 50 }, () => new AbortController());
  const heard = tabs.map((tab) => openTab(tab));
  for (const [index, tab] of tabs.entries()) {
    await vi.waitFor(
      () => {
        expect(sources).toHaveLength(index + 1);
      },
      { interval: 1 },
    );
    sources[index]?.onopen();
    for (const { onLive } of heard.slice(index)) expect(onLive).toHaveBeenLastCalledWith(true);
    tab.abort();
  }
  expect(openSources()).toEqual([]);
  expect(mostOpen).toBe(1);
});
