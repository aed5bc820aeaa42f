/** A picture with a retry for when it fails to load. */
import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { LostMedia } from './lost-media';

export interface PictureProps {
  src: string;
  alt: string;
  /** Pixels; null if unknown. */
  width: number | null;
  height: number | null;
  /** Whether the retry button is enabled. */
  usable: boolean;
  className: string;
}

export function Picture({ src, alt, width, height, usable, className }: PictureProps) {
  const [lost, setLost] = useState(false);
  if (lost) {
    return (
      <LostMedia
        icon={ImageOff}
        message="This picture could not be loaded."
        usable={usable}
        onRetry={() => {
          setLost(false);
        }}
      />
    );
  }
  return (
    <img
      ref={(image) => {
        // It may have failed before hydration, and the error event is not repeated.
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
