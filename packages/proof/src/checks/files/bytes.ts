/** What the bytes of a file may be. */
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';
import { fileTypeFromBuffer } from 'file-type';
import { kindOfType, text, type Bytes } from './kinds.ts';

/** Beginnings that the detector does not know, as Latin-1: segments of media, and rare variants. */
const furtherMarks: readonly (readonly [kind: string, mark: RegExp])[] = [
  ['tiff', /^(II[*+]\0|MM\0[*+])/],
  ['mp4', /^.{4}(styp|moof|sidx|emsg|prft)/s],
  // eslint-disable-next-line no-control-regex -- the mark
  ['webm', /^\x1f\x43\xb6\x75/],
  // eslint-disable-next-line no-control-regex -- the mark
  ['mpeg', /^\0\0\x01/],
  ['wav', /^(RF64|RIFX)/],
  ['calendar', /^begin:vcalendar/i],
  ['vcard', /^begin:vcard/i],
  ['ttf', /^(true|typ1)/],
  ['woff', /^wOFF/],
  ['woff2', /^wOF2/],
  ['application/vnd.tcpdump.pcap', /^\n\r\r\n/],
  ['application/x-cpio', /^07070[12]/],
  ['application/x-shockwave-flash', /^ZWS/],
  // A frame after padding.
  ['mp3', /\xff[\xe2-\xfe]/],
];

/** Formats that are text themselves. */
const textual = new Set(
  ['pdf', 'postscript', 'rtf', 'xml', 'calendar', 'vcard', 'captions', 'model/stl'].concat([
    'application/pgp-encrypted',
    'application/x-ms-regedit',
  ]),
);

/** As much of a file as its format shows in. */
const startLength = 65_536;

/** @param type the `content-type`, which may name a charset */
export async function readBytes(bytes: Buffer, type: string): Promise<Bytes> {
  const [, charset = 'utf-8'] = /;\s*charset="?([^\s";]+)/i.exec(type) ?? [];
  const start = bytes.subarray(0, startLength);
  const unicode = decode(start, bomOf(start) ?? charset) ?? decode(start, 'utf-8');
  // The encoding of an old text is unknown, but it has no control characters either.
  const words = unicode ?? withoutControls(start.toString('latin1'));
  const found = await detect(unicode === null ? bytes : Buffer.from(unicode.trimStart()));
  if (words === null) return { kinds: new Set(found === null ? [] : [found]), words: '' };
  if (found === 'pdf' && /\b\d+ obj\b/.test(words)) return { kinds: new Set([found]), words: '' };
  // A text may begin with letters that a detector takes for the mark of a format, such as “BM”.
  const mayBeFound = found !== null && (unicode === null || textual.has(found));
  return { kinds: new Set(mayBeFound ? [text, found] : [text]), words };
}

/** By `content-encoding`. The end of the bytes may be missing. */
const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: (bytes) => inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }),
  br: (bytes) => brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};

/** @returns null if the coding is unknown, `undecodable` if the bytes are not encoded like that. */
export function decoded(bytes: Buffer, encoding: string): Buffer | 'undecodable' | null {
  const decode = decoders[encoding.trim().toLowerCase().replace(/^x-/, '')];
  if (!decode || bytes.length === 0) return decode ? bytes : null;
  try {
    return decode(bytes);
  } catch {
    return 'undecodable';
  }
}

async function detect(bytes: Buffer): Promise<string | null> {
  const found = await fileTypeFromBuffer(bytes);
  if (found) return kindOfType(found.mime);
  const start = bytes.toString('latin1', 0, startLength);
  return furtherMarks.find(([, mark]) => mark.test(start))?.[0] ?? null;
}

function bomOf([first, second]: Buffer): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

/** Null if the bytes are no text in this encoding, or if it is unknown. */
function decode(bytes: Buffer, charset: string): string | null {
  try {
    // The end may be in the middle of a character.
    return withoutControls(
      new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true }),
    );
  } catch {
    return null;
  }
}

function withoutControls(words: string): string | null {
  // eslint-disable-next-line no-control-regex -- looks for them
  return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(words) ? null : words;
}
