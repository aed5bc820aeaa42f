/** Receives changes to the visitor's generations, while any are pending and the page is visible. */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { onSigningOut } from '@gatehouse/frame/browser';
import type { Generation } from '~/platform/generations/generations';
import { useSessions } from '@gatehouse/frame/react';
import { shareEvents } from './shared-events';

export interface LiveFeedOptions {
  /** Whether anything is pending. */
  isWanted: boolean;
  account: string;
  workspace: string;
  onChange: (generation: Generation) => void;
}

/** Milliseconds until a retry. Until then, the page polls. */
const pause = 20_000;

/** @returns whether events are arriving; otherwise the page has to poll. */
export function useLiveFeed({ isWanted, account, workspace, onChange }: LiveFeedOptions): boolean {
  const [isLive, setLive] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const { check } = useSessions();
  const isInView = useSyncExternalStore(subscribeToVisibility, isVisible, () => false);
  const now = useRef({ onChange, check });
  useEffect(() => {
    now.current = { onChange, check };
  });

  const isOn = isWanted && isInView;
  useEffect(() => {
    if (!isOn) return;
    const stop = new AbortController();
    let timer: number | undefined;
    const query = new URLSearchParams(workspace && { workspace }).toString();
    shareEvents({
      address: `/api/generations/events?${query}`,
      name: `generations ${account} ${workspace}`,
      event: 'generation',
      onEvent: (data) => {
        // Not validated: the site's own route wrote it, and is deployed together with this code.
        now.current.onChange(JSON.parse(data) as Generation);
      },
      onLive: setLive,
      onEnd: (reason) => {
        if (reason === 'unauthorized') now.current.check();
        timer = window.setTimeout(setAttempt, pause, attempt + 1);
      },
      signal: stop.signal,
    });
    // The browser would reconnect after the session ended, get a 401, and log an error.
    const stopHearing = onSigningOut('platform', () => {
      stop.abort();
      setLive(false);
    });
    return () => {
      stopHearing();
      window.clearTimeout(timer);
      stop.abort();
      setLive(false);
    };
  }, [isOn, account, workspace, attempt]);
  return isLive;
}

function isVisible(): boolean {
  return document.visibilityState === 'visible';
}

function subscribeToVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => {
    document.removeEventListener('visibilitychange', listener);
  };
}
