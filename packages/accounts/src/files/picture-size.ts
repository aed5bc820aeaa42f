/**
 * Width and height of a picture, as its header says. Programs that show it refuse a picture that is larger than its header,
 * so that a few bytes cannot make them fill their memory.
 */
export interface PictureSize {
  width: number;
  height: number;
}

type Reader = (bytes: Buffer) => PictureSize | null;

const readers: ReadonlyMap<string, Reader> = new Map([
  ['image/png', pngSize],
  ['image/jpeg', jpegSize],
  ['image/webp', webpSize],
]);

/** Pictures whose size is read, and the extension of each. */
export const pictureExtensions: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/webp', 'webp'],
]);

/** @param bytes the first of the file. @returns null for another type, or if the size is not in these bytes. */
export function pictureSize(type: string, bytes: Uint8Array): PictureSize | null {
  try {
    const size = readers.get(type)?.(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    return size && size.width > 0 && size.height > 0 ? size : null;
  } catch {
    // A header that ends early.
    return null;
  }
}

/** PNG, section 11.2.1: the header is the first chunk. */
function pngSize(bytes: Buffer): PictureSize | null {
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return null;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** JPEG, sections B.1 and B.2.2: the frame's header comes after segments of other kinds, and before the scan. */
function jpegSize(bytes: Buffer): PictureSize | null {
  for (let at = 2; ;) {
    if (bytes.readUInt8(at) !== 0xff) return null;
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    // A scan or the end before any frame.
    if (marker === 0xda || marker === 0xd9) return null;
    // 0xff fills.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
}

/** WebP (RFC 9649, section 2): lossy, lossless, or extended with the size of its canvas. */
function webpSize(bytes: Buffer): PictureSize | null {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}
