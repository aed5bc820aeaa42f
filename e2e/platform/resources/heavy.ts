/** Slow pictures: a prompt with `Heavy please` orders one. */
import { crc32 } from 'node:zlib';

/** Extra bytes of such a picture. */
const ballast = 8_000_000;

/** The end of every PNG: an empty chunk. */
const endLength = 12;

export const isHeavy = (prompt: string): boolean => prompt.toLowerCase().includes('heavy please');

/**
 * Adds a chunk that PNG readers skip (PNG specification, section 5.4: ancillary, private, safe to
 * copy).
 */
export function makeHeavy(png: Buffer): Buffer {
  const chunk = Buffer.alloc(ballast + 12);
  chunk.writeUInt32BE(ballast, 0);
  chunk.write('baLt', 4, 'latin1');
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return Buffer.concat([png.subarray(0, -endLength), chunk, png.subarray(-endLength)]);
}
