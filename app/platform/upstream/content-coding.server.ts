/** Undoes what `content-encoding` says was done to a body (RFC 9110, section 8.4). */
import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

type Body = Iterable<Buffer> | AsyncIterable<Buffer>;
type Decoder = (body: Body) => AsyncIterable<Buffer>;

/** A server applies one coding, a proxy may add another. More would let an answer cost too much to decode. */
const maxCodings = 4;

const none: Decoder[] = [];

/**
 * @param contentEncoding the header as it came, on one line or on several.
 * @returns the decoders in the order in which they must run, or null where one is unknown.
 */
export function decodersFor(contentEncoding: string | string[] | undefined): Decoder[] | null {
  if (contentEncoding === undefined) return none;
  const codings = String(contentEncoding)
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > maxCodings) return null;
  // Named in the order in which they were applied.
  const found = codings.reverse().flatMap((coding) => decoders.get(coding) ?? []);
  return found.length === codings.length ? found : null;
}

/**
 * Decodes as it is read, so that whoever stops at a bound has decoded no more than that.
 *
 * @throws while it is read, what zlib says of a body that is not what its header claims, or is cut short.
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

/** `deflate` is zlib's format, but many servers send raw deflate: browsers look at the first byte, and so does this. */
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
