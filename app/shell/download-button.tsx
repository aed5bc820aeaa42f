/**
 * Downloads a protected file (W26). The handler owns the loading state and tells what went wrong. How far a large file
 * is stands in a row of its own where the button's container wraps; one that broke off is gone on with.
 */
import { Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { AuthenticatedDownload } from '~/frame/download';
import { Button } from '~/ui/button';
import { toast } from '~/ui/toast';
import { DownloadStatus } from './download-status';
import { useSessions } from './sessions';
import { useDownload } from './use-download';

export interface DownloadButtonProps extends AuthenticatedDownload {
  disabled?: boolean;
  /** Default: Download. */
  label?: string;
  /** Names what is downloaded, where a page has more than one such button. */
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
      // A network failure speaks in the browser's words; a visitor gets ours.
      const known = error instanceof Error && !(error instanceof TypeError);
      toast.error(known ? error.message : 'Download failed. Check your connection and try again.');
      // The likeliest cause is a session that has ended.
      check();
    }
  };

  // The way to cancel goes when it is used: the focus would be lost with it.
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
