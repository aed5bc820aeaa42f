/** A download with progress, cancel and retry. */
import { useRef, useState } from 'react';
import { downloadAuthenticatedFile, type AuthenticatedDownload } from '../browser/download.ts';
import { createPartialFile, type DownloadProgress } from '../browser/partial-file.ts';

export interface UseDownload {
  isRunning: boolean;
  /** The progress of a large file that is downloading or was interrupted; null otherwise. */
  progress: DownloadProgress | null;
  /** Resumes an interrupted attempt. Also resolves when cancelled; rejects as the helper does. */
  start: () => Promise<void>;
  /** Cancels the download and discards what was received. */
  cancel: () => void;
}

/** Files of at least this many bytes show progress. */
const large = 4 * 1024 * 1024;

export function useDownload({ url, filename }: AuthenticatedDownload): UseDownload {
  const [isRunning, setRunning] = useState(false);
  const [seen, setSeen] = useState<{ url: string; progress: DownloadProgress } | null>(null);
  const partial = useRef({ url, file: createPartialFile() });
  const running = useRef<AbortController>(undefined);

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
      // Hide the progress of a download that cannot be resumed.
      if (!file.headers) setSeen(null);
      if (!signal.aborted) throw error;
    } finally {
      setRunning(false);
    }
  };

  return {
    isRunning,
    // The button may meanwhile point to another file, for example after the selection changed.
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
