/** A download that the visitor sees, cancels and tries again. */
import { useRef, useState } from 'react';
import { downloadAuthenticatedFile, type AuthenticatedDownload } from '~/frame/download';
import { createPartialFile, type DownloadProgress } from '~/frame/partial-file';

export interface UseDownload {
  isRunning: boolean;
  /** Of a large file that is on its way, or whose connection was lost; null for any other. */
  progress: DownloadProgress | null;
  /** Goes on from what the last attempt left. Resolves too when it is canceled; rejects as the helper does. */
  start: () => Promise<void>;
  /** Ends it, and forgets what has arrived. */
  cancel: () => void;
}

/** Bytes from which on a visitor wants to know how far it is. */
const large = 4 * 1024 * 1024;

export function useDownload({ url, filename }: AuthenticatedDownload): UseDownload {
  const [isRunning, setRunning] = useState(false);
  const [seen, setSeen] = useState<{ url: string; progress: DownloadProgress } | null>(null);
  const partial = useRef({ url, file: createPartialFile() });
  const running = useRef<AbortController>();

  const start = async () => {
    if (partial.current.url !== url) partial.current = { url, file: createPartialFile() };
    const { file } = partial.current;
    const { signal } = (running.current = new AbortController());
    setRunning(true);
    try {
      const onProgress = (progress: DownloadProgress) => {
        if ((progress.total ?? progress.received) >= large) setSeen({ url, progress });
      };
      await downloadAuthenticatedFile({ url, filename }, { signal, partial: file, onProgress });
      setSeen(null);
    } catch (error) {
      if (signal.aborted) file.forget();
      // What cannot be gone on with need not be seen any longer.
      if (!file.headers) setSeen(null);
      if (!signal.aborted) throw error;
    } finally {
      setRunning(false);
    }
  };

  return {
    isRunning,
    // Another file may stand here by now, as where several are chosen to be one.
    progress: seen && (isRunning || seen.url === url) ? seen.progress : null,
    start,
    cancel() {
      running.current?.abort();
      if (isRunning) return;
      partial.current.file.forget();
      setSeen(null);
    },
  };
}
