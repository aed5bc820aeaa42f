/** Downloads a protected file (W26). The handler owns the loading state and tells what went wrong. */
import { Download } from 'lucide-react';
import { useState } from 'react';
import { downloadAuthenticatedFile, type AuthenticatedDownload } from '~/frame/download';
import { Button } from '~/ui/button';
import { toast } from '~/ui/toast';
import { useSessions } from './sessions';

export interface DownloadButtonProps extends AuthenticatedDownload {
  disabled?: boolean;
  /** Names what is downloaded, where a page has more than one such button. */
  'aria-describedby'?: string;
}

export function DownloadButton({
  url,
  filename,
  disabled = false,
  ...described
}: DownloadButtonProps) {
  const [downloading, setDownloading] = useState(false);
  const { check } = useSessions();

  const download = async () => {
    setDownloading(true);
    try {
      await downloadAuthenticatedFile({ url, filename });
    } catch (error) {
      // A network failure speaks in the browser's words; a visitor gets ours.
      const known = error instanceof Error && !(error instanceof TypeError);
      toast.error(known ? error.message : 'Download failed. Check your connection and try again.');
      // The likeliest cause is a session that has ended.
      check();
    } finally {
      setDownloading(false);
    }
  };

  return (
    <Button
      {...described}
      type="button"
      tone="secondary"
      size="small"
      disabled={disabled || downloading}
      onClick={() => void download()}
    >
      <Download aria-hidden />
      {downloading ? 'Downloading…' : 'Download'}
    </Button>
  );
}
