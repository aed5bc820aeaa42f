/** Pictures that take a while to arrive: a prompt with `Heavy please` asks for one. */
import { crc32 } from 'node:zlib';

/** Bytes that such a picture has besides its own. */
const ballast = 8_000_000;

/** The end of every PNG: a chunk of no bytes. */
const endLength = 12;

export const isHeavy = (prompt: string): boolean => prompt.toLowerCase().includes('heavy please');

/** The same picture with a chunk that readers skip (PNG specification, section 5.4: ancillary, private, safe to copy). */
export function makeHeavy(png: Buffer): Buffer {
  const chunk = Buffer.alloc(ballast + 12);
  chunk.writeUInt32BE(ballast, 0);
  chunk.write('baLt', 4, 'latin1');
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return Buffer.concat([png.subarray(0, -endLength), chunk, png.subarray(-endLength)]);
}
