/** The offline demo's pictures. */
import { createHash } from 'node:crypto';
import { PNG } from 'pngjs';
import type { AspectRatio } from './generations';

const longSide = 512;

/** The pixel size of a picture with this ratio. */
export function sizeOf(aspectRatio: AspectRatio): { width: number; height: number } {
  const [across = 1, down = 1] = aspectRatio.split(':').map(Number);
  const unit = longSide / Math.max(across, down);
  return { width: Math.round(across * unit), height: Math.round(down * unit) };
}

/** Draws a two-colour gradient whose colours and direction are derived from the prompt. */
export function draw(prompt: string, aspectRatio: AspectRatio): Uint8Array<ArrayBuffer> {
  const seed = createHash('sha256').update(prompt).digest();
  const at = (index: number) => seed[index] ?? 0;
  const angle = (at(6) / 255) * Math.PI;
  const { width, height } = sizeOf(aspectRatio);
  const png = new PNG({ width, height });
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const along =
        ((x - width / 2) * Math.cos(angle) + (y - height / 2) * Math.sin(angle)) / longSide;
      const mix = 0.5 + Math.sin(along * (2 + at(7) / 64)) / 2;
      const offset = (y * width + x) * 4;
      for (let channel = 0; channel < 3; channel++) {
        png.data[offset + channel] = at(channel) * mix + at(channel + 3) * (1 - mix);
      }
      png.data[offset + 3] = 255;
    }
  }
  return Uint8Array.from(PNG.sync.write(png));
}
