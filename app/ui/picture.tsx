/** A picture that may fail to load, and can then be tried again. */
import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button';

export interface PictureProps {
  src: string;
  alt: string;
  /** Pixels; null where they are not known. */
  width: number | null;
  height: number | null;
  /** Whether the visitor may try again. */
  usable: boolean;
  className: string;
}

export function Picture({ src, alt, width, height, usable, className }: PictureProps) {
  const [lost, setLost] = useState(false);
  if (lost) {
    return (
      <div className="grid justify-items-center gap-3 p-4 text-center text-sm">
        <ImageOff aria-hidden className="size-8" />
        <p>This picture could not be loaded.</p>
        <Button
          tone="secondary"
          size="small"
          disabled={!usable}
          onClick={() => {
            setLost(false);
          }}
        >
          Try again
        </Button>
      </div>
    );
  }
  return (
    <img
      ref={(image) => {
        // It may have failed before the page came to life, and tells of it only once.
        if (image?.complete && image.naturalWidth === 0) setLost(true);
      }}
      onError={() => {
        setLost(true);
      }}
      src={src}
      alt={alt}
      {...(width && height && { width, height })}
      loading="lazy"
      className={className}
    />
  );
}
