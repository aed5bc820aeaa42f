/** The clips: three seconds of moving colours in each format. */
import { clipFiles } from './clip-files.ts';
import type { AspectRatio } from './picture.ts';

export interface Clip {
  facts: { width: number; height: number; seconds: number };
  body: Buffer;
}

const sizes: Readonly<Record<AspectRatio, readonly [number, number]>> = {
  '1:1': [320, 320],
  '4:3': [400, 300],
  '3:4': [300, 400],
  '16:9': [448, 252],
  '9:16': [252, 448],
};

const clips = new Map<AspectRatio, Clip>();

export function clipOf(aspectRatio: AspectRatio): Clip {
  const known = clips.get(aspectRatio);
  if (known) return known;
  const [width, height] = sizes[aspectRatio];
  const body = Buffer.from(clipFiles[aspectRatio], 'base64');
  const clip = { facts: { width, height, seconds: 3 }, body };
  clips.set(aspectRatio, clip);
  return clip;
}
