/** The progress of a large download, with a cancel button. */
import { X } from 'lucide-react';
import type { DownloadProgress } from '@gatehouse/frame/browser';
import { Button } from '~/ui/button';
import { Progress } from '~/ui/progress';

export interface DownloadStatusProps {
  filename: string;
  progress: DownloadProgress;
  /** False after the connection was lost; the next attempt resumes from here. */
  isRunning: boolean;
  onCancel: () => void;
}

export function DownloadStatus({ filename, progress, isRunning, onCancel }: DownloadStatusProps) {
  const { received, total } = progress;
  const arrived = total === null ? sizeOf(received) : `${sizeOf(received)} of ${sizeOf(total)}`;
  return (
    <div className="order-last flex min-w-0 basis-full items-center gap-2">
      <div className="grid min-w-0 grow gap-1">
        <Progress
          value={total === null ? null : received / total}
          label={`Download of ${filename}`}
          valueText={arrived}
        />
        {/* Hidden while running: it changes constantly, possibly in a live region. The progress
            bar's value is available on demand. */}
        <p aria-hidden={isRunning} className="text-muted text-xs tabular-nums">
          {isRunning ? arrived : `Interrupted at ${arrived}`}
        </p>
      </div>
      <Button
        tone="quiet"
        size="icon"
        aria-label={`Cancel the download of ${filename}`}
        onClick={onCancel}
      >
        <X aria-hidden />
      </Button>
    </div>
  );
}

function sizeOf(bytes: number): string {
  return megabytes.format(bytes / 1_000_000);
}

const megabytes = new Intl.NumberFormat('en', {
  style: 'unit',
  unit: 'megabyte',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
