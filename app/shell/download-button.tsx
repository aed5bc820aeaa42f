/**
 * Downloads a protected file (W26). The handler owns the loading state and reports errors. A large
 * file's progress is a row of its own if the button's container wraps. An interrupted download can
 * be resumed.
 */
import { Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { AuthenticatedDownload } from '@gatehouse/frame/browser';
import { Button } from '~/ui/button';
import { toast } from '~/ui/toast';
import { DownloadStatus } from './download-status';
import { useSessions, useDownload } from '@gatehouse/frame/react';

export interface DownloadButtonProps extends AuthenticatedDownload {
  disabled?: boolean;
  /** Default: Download. */
  label?: string;
  /** Identifies the download on a page with several such buttons. */
  'aria-describedby'?: string;
}

export function DownloadButton({
  url,
  filename,
  disabled = false,
  label = 'Download',
  ...described
}: DownloadButtonProps) {
  const { isRunning, progress, start, cancel } = useDownload({ url, filename });
  const { check } = useSessions();
  const button = useRef<HTMLButtonElement>(null);

  const download = async () => {
    try {
      await start();
    } catch (error) {
      // A network failure's message is the browser's own wording, so it is replaced.
      const known = error instanceof Error && !(error instanceof TypeError);
      toast.error(known ? error.message : 'Download failed. Check your connection and try again.');
      // The most likely cause is an expired session.
      check();
    }
  };

  // The cancel button disappears when it is used, so focus must move to this one.
  const wasCanceled = useRef(false);
  useEffect(() => {
    if (isRunning || progress || !wasCanceled.current) return;
    wasCanceled.current = false;
    button.current?.focus();
  }, [isRunning, progress]);

  return (
    <>
      <Button
        {...described}
        ref={button}
        type="button"
        tone="secondary"
        size="small"
        disabled={disabled || isRunning}
        onClick={() => void download()}
      >
        <Download aria-hidden />
        {isRunning ? 'Downloading…' : label}
      </Button>
      {progress && (
        <DownloadStatus
          filename={filename}
          progress={progress}
          isRunning={isRunning}
          onCancel={() => {
            wasCanceled.current = true;
            cancel();
          }}
        />
      )}
    </>
  );
}
