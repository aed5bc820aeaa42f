/** An upload with progress and cancel. */
import { useCallback, useRef, useState } from 'react';
import type { ApiResult, SentBy } from '../browser/api.ts';
import { uploadFile } from '../browser/upload.ts';
import { useSenders } from './use-senders.ts';
import { useSessions } from './sessions.tsx';

export interface UseUpload<T> {
  /** 0 to 1 while a file is sent, else null. */
  share: number | null;
  /** The last result, until the next one arrives or a different person is signed in. */
  result: ApiResult<T> | null;
  /**
   * Sends a file as the whole body, and cancels the one that is still being sent. After a 401 or 409, the page checks who is
   * signed in.
   *
   * @throws {Error} only for an address on another origin or outside `/api/`.
   */
  send: (address: string, file: Blob) => Promise<ApiResult<T>>;
  cancel: () => void;
}

/** `useUpload<typeof action>()`, with the resource route's action. Whoever leaves the page cancels. */
export function useUpload<Route extends (...call: never[]) => unknown>(): UseUpload<SentBy<Route>> {
  type Result = ApiResult<SentBy<Route>>;
  const { check } = useSessions();
  const [share, setShare] = useState<number | null>(null);
  const [result, setResult] = useState<Result | null>(null);
  const running = useRef<AbortController>();

  const stop = useCallback(() => {
    running.current?.abort();
  }, []);
  const cancel = useCallback(() => {
    stop();
    setShare(null);
  }, [stop]);
  useSenders(() => {
    setShare(null);
    setResult(null);
  }, stop);

  const send = useCallback(
    async (url: string, file: Blob): Promise<Result> => {
      const { signal } = (running.current = replaced(running.current));
      const onProgress = (sent: number) => {
        if (!signal.aborted) setShare(sent);
      };
      const pending = uploadFile<SentBy<Route>>({ url, file, onProgress, signal });
      setResult(null);
      setShare(0);
      const arrived = await pending;
      if (signal.aborted) return arrived;
      setShare(null);
      setResult(arrived);
      if (!arrived.ok && (arrived.status === 401 || arrived.status === 409)) check();
      return arrived;
    },
    [check],
  );
  return { share, result, send, cancel };
}

function replaced(running: AbortController | undefined): AbortController {
  running?.abort();
  return new AbortController();
}
