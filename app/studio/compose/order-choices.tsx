/** The options of an order, as they are displayed. */
import { Image, Video } from 'lucide-react';
import { aspectRatios, type AspectRatio } from '~/platform/generations/generations';

export const kinds = [
  {
    value: 'picture',
    label: (
      <>
        <Image aria-hidden />
        Picture
      </>
    ),
  },
  {
    value: 'clip',
    label: (
      <>
        <Video aria-hidden />
        Clip
      </>
    ),
  },
] as const;

export const formats = aspectRatios.map((value) => ({
  value,
  label: (
    <>
      <Format ratio={value} />
      {value}
    </>
  ),
}));

/** The outline of an aspect ratio. */
function Format({ ratio }: { ratio: AspectRatio }) {
  const [width = 1, height = 1] = ratio.split(':').map(Number);
  const scale = 14 / Math.max(width, height);
  return (
    <svg viewBox="0 0 16 16" aria-hidden>
      <rect
        x={8 - (width * scale) / 2}
        y={8 - (height * scale) / 2}
        width={width * scale}
        height={height * scale}
        rx="1.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
      />
    </svg>
  );
}
