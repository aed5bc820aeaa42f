/** Actions on several generations at once. */
import type { Generation } from '~/platform/generations/generations';
import { DownloadButton } from '~/shell/download-button';
import { Button } from '~/ui/button';
import { Card } from '~/ui/card';
import { archiveFilename, archiveMax, archiveUrl } from './archive';

export interface SelectionBarProps {
  selected: readonly Generation[];
  usable: boolean;
  onClear: () => void;
}

export function SelectionBar({ selected, usable, onClear }: SelectionBarProps) {
  const count = selected.length;
  return (
    // Always rendered: screen readers ignore a live region that is inserted together with its text.
    <div role="status" className="sticky bottom-4 z-30 justify-self-center empty:hidden">
      {count > 0 && (
        <Card className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2">
          <p className="text-sm font-medium">{count} selected</p>
          {count > archiveMax ? (
            <p className="text-danger text-sm">At most {archiveMax} at once.</p>
          ) : (
            <DownloadButton
              url={archiveUrl(selected.map(({ id }) => id))}
              filename={archiveFilename}
              disabled={!usable}
              label="Download as zip"
            />
          )}
          <Button tone="quiet" size="small" onClick={onClear}>
            Clear
          </Button>
        </Card>
      )}
    </div>
  );
}
