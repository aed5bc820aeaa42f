/** An inline video. The browser requests its byte ranges itself, with the frame's cookies. */
import { FilmIcon } from 'lucide-react';
import { useState } from 'react';
import type { GenerationOutput } from '~/platform/sdk/generations/generations';

export interface ClipProps {
  output: GenerationOutput;
  name: string;
}

export function Clip({ output, name }: ClipProps) {
  const [lost, setLost] = useState(false);
  if (lost) {
    return (
      <p className="grid justify-items-center gap-3 p-4 text-center text-sm">
        <FilmIcon aria-hidden className="size-8" />
        This clip could not be played here. Download it instead.
      </p>
    );
  }
  const { url, width, height } = output;
  return (
    <video
      src={url}
      aria-label={name}
      {...(width && height && { width, height })}
      controls
      // The download button saves the file instead: the browser's own download would not send the
      // frame's cookies (W21).
      controlsList="nodownload"
      playsInline
      loop
      muted
      preload="metadata"
      onError={() => {
        setLost(true);
      }}
      className="absolute inset-0 size-full object-contain"
    />
  );
}
