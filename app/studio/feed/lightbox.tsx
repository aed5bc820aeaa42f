/** Pictures at full size, with keyboard navigation. */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { Generation } from '~/platform/generations/generations';
import { DownloadButton } from '~/shell/download-button';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog';
import { Picture } from '~/ui/picture';
import { shortPrompt } from './generation-card';

export interface LightboxProps {
  /** The pictures in the feed, each with its output. */
  pictures: readonly Generation[];
  shown: string;
  show: (id: string) => void;
  usable: boolean;
  onClose: () => void;
  returnFocus: () => HTMLElement | null;
}

export default function Lightbox(props: LightboxProps) {
  const { pictures, shown, show, usable, onClose, returnFocus } = props;
  const index = pictures.findIndex(({ id }) => id === shown);
  const picture = pictures[index];
  const output = picture?.output;
  if (!output) return null;
  const { prompt } = picture;
  const step = (by: number) => {
    const next = pictures[(index + by + pictures.length) % pictures.length];
    if (next) show(next.id);
  };
  return (
    <Dialog
      title={shortPrompt(prompt)}
      onClose={onClose}
      returnFocus={returnFocus}
      onKeyDown={({ key }) => {
        if (key === 'ArrowLeft') step(-1);
        if (key === 'ArrowRight') step(1);
      }}
    >
      <Picture
        // Resets the error state for each picture.
        key={picture.id}
        src={output.url}
        alt={shortPrompt(prompt)}
        width={output.width}
        height={output.height}
        usable={usable}
        className="bg-sunken h-[60dvh] w-full rounded-lg object-contain"
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <DownloadButton url={output.url} filename={output.filename} disabled={!usable} />
        {pictures.length > 1 && (
          <div className="flex items-center gap-2">
            <Button
              tone="secondary"
              size="icon"
              aria-label="Previous picture"
              onClick={() => {
                step(-1);
              }}
            >
              <ChevronLeft aria-hidden />
            </Button>
            <p role="status" className="text-muted text-sm tabular-nums">
              {index + 1} of {pictures.length}
            </p>
            <Button
              tone="secondary"
              size="icon"
              aria-label="Next picture"
              onClick={() => {
                step(1);
              }}
            >
              <ChevronRight aria-hidden />
            </Button>
          </div>
        )}
      </div>
      {prompt !== shortPrompt(prompt) && (
        <p dir="auto" className="text-muted text-sm wrap-anywhere whitespace-pre-line">
          {prompt}
        </p>
      )}
    </Dialog>
  );
}
