/**
 * Decodes `content-encoding` (RFC 9110, section 8.4). undici 6 decodes only in `fetch`, and passes a body
 * with an unknown coding on as it is, which must be a 502 here.
 */
import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

type Body = Iterable<Buffer> | AsyncIterable<Buffer>;
type Decoder = (body: Body) => AsyncIterable<Buffer>;

/**
 * A server applies one coding, and a proxy may add another. A longer chain would make a response
 * too costly to decode.
 */
const maxCodings = 4;

const none: Decoder[] = [];

/**
 * @param contentEncoding the header, on one line or several.
 * @returns the decoders in the order to apply them, or null if a coding is unknown.
 */
export function decodersFor(contentEncoding: string | string[] | undefined): Decoder[] | null {
  if (contentEncoding === undefined) return none;
  const codings = String(contentEncoding)
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > maxCodings) return null;
  // The header lists the codings in the order in which they were applied.
  const found = codings.reverse().flatMap((coding) => decoders.get(coding) ?? []);
  return found.length === codings.length ? found : null;
}

/**
 * Decodes lazily, so that a reader that stops at a limit has decoded no more than that.
 *
 * @throws while being read, zlib's error if the body is not validly encoded or is truncated.
 */
export function decode<Coded extends Body>(
  body: Coded,
  through: Decoder[],
): Coded | AsyncIterable<Buffer> {
  return through.reduce((coded: Coded | AsyncIterable<Buffer>, decoder) => decoder(coded), body);
}

const decoders = new Map<string, Decoder>([
  ['gzip', by(createGunzip)],
  ['x-gzip', by(createGunzip)],
  ['br', by(createBrotliDecompress)],
  ['deflate', inflated],
]);

function by(create: () => Transform): Decoder {
  return (body) => pipeline(body, create(), () => undefined);
}

/**
 * `deflate` means the zlib format, but many servers send raw deflate. Like browsers, tells them
 * apart by the first byte.
 */
async function* inflated(body: Body): AsyncGenerator<Buffer> {
  const chunks = (async function* () {
    yield* body;
  })();
  const { value: first } = await chunks.next();
  if (!first) return;
  const whole = async function* () {
    yield first;
    yield* chunks;
  };
  const isZlib = ((first[0] ?? 0) & 0x0f) === 8;
  yield* by(isZlib ? createInflate : createInflateRaw)(whole());
}
