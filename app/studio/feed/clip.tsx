/** An inline video. The browser requests its byte ranges itself, with the frame's cookies. */
import { FilmIcon } from 'lucide-react';
import { useState } from 'react';
import type { GenerationOutput } from '~/platform/generations/generations';
import { LostMedia } from '~/ui/lost-media';

export interface ClipProps {
  output: GenerationOutput;
  name: string;
  /** False until the browser has confirmed who the visitor is: nothing can be played before. */
  usable: boolean;
}

export function Clip({ output, name, usable }: ClipProps) {
  const [lost, setLost] = useState(false);
  const [playing, setPlaying] = useState(false);
  if (lost) {
    return (
      <LostMedia
        icon={FilmIcon}
        message="This clip could not be played. Try again, or download it."
        usable={usable}
        onRetry={() => {
          setLost(false);
        }}
      />
    );
  }
  const { url, width, height } = output;
  return (
    <video
      src={url}
      aria-label={name}
      {...(width && height && { width, height })}
      // While it plays, it can be paused, also in an outage.
      controls={usable || playing}
      // The download button saves the file instead: the browser's own download would not send the
      // frame's cookies (W21).
      controlsList="nodownload"
      playsInline
      loop
      muted
      preload={usable ? 'metadata' : 'none'}
      onPlay={() => {
        setPlaying(true);
      }}
      onPause={() => {
        setPlaying(false);
      }}
      onError={() => {
        setLost(true);
      }}
      className="absolute inset-0 size-full object-contain"
    />
  );
}
