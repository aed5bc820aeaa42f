/** The files that people uploaded. An upload that is cancelled, too large or of another type leaves nothing. */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import parseRange from 'range-parser';

import { jsonAnswer, type Answer } from './fault-delivery';

const MAX_BYTES = 100 * 1024 * 1024;
/** Bytes of everybody's files together. The oldest make room. */
const CAPACITY = 256 * 1024 * 1024;
const CONTENT_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'video/mp4'];

/** A file as the internal API tells it. */
export interface MediaJson {
  id: string;
  content_type: string;
  bytes: number;
  sha256: string;
}

/** A request's body, once it was received. */
export interface Received {
  /** Null when it was too large. */
  body: Buffer | null;
  sha256: string;
}

interface Stored extends MediaJson {
  personaId: string;
  body: Buffer;
}

export interface Media {
  /** Keeps a file, or answers why not. */
  add(personaId: string, contentType: string | undefined, received: Received): Answer;
  find(personaId: string, id: string): Stored | null;
  /** Everything that is kept, oldest first. */
  kept(): MediaJson[];
  reset(): void;
}

export function createMedia(): Media {
  let stored: Stored[] = [];
  const size = () => stored.reduce((sum, { bytes }) => sum + bytes, 0);

  return {
    add(personaId, contentType = '', { body, sha256 }) {
      if (!body) return jsonAnswer(413, { error: 'too_large', message: 'Too large.' });
      if (!CONTENT_TYPES.includes(contentType)) {
        return jsonAnswer(415, { error: 'unsupported_media_type', message: 'No such kind.' });
      }
      const id = `med_${randomBytes(12).toString('hex')}`;
      const file = { id, content_type: contentType, bytes: body.length, sha256 };
      stored.push({ ...file, personaId, body });
      while (size() > CAPACITY) stored = stored.slice(1);
      return jsonAnswer(201, file);
    },
    find: (personaId, id) =>
      stored.find((file) => file.id === id && file.personaId === personaId) ?? null,
    kept: () =>
      stored.map(({ id, content_type, bytes, sha256 }) => ({ id, content_type, bytes, sha256 })),
    reset() {
      stored = [];
    },
  };
}

/**
 * Reads a request to its end, whatever its size.
 *
 * @returns null when it was broken off.
 */
export async function receive(request: IncomingMessage): Promise<Received | null> {
  const hash = createHash('sha256');
  let chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      hash.update(chunk);
      if (size > MAX_BYTES) chunks = [];
      else chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return { body: size > MAX_BYTES ? null : Buffer.concat(chunks), sha256: hash.digest('hex') };
}

/** A file, or the part of it that the request asks for. */
export function fileAnswer(
  { headers }: IncomingMessage,
  contentType: string,
  body: Buffer,
): Answer {
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  const own = { 'accept-ranges': 'bytes', etag };
  const isCurrent = headers['if-range'] === undefined || headers['if-range'] === etag;
  const parts = headers.range && isCurrent ? parseRange(body.length, headers.range) : -2;
  if (parts === -1) {
    const refusal = jsonAnswer(416, { error: 'no_such_range', message: 'The file ends before.' });
    return { ...refusal, headers: { 'content-range': `bytes */${body.length}` } };
  }
  const part = parts === -2 || parts.length > 1 ? undefined : parts[0];
  if (!part) return { status: 200, contentType, body, headers: own };
  return {
    status: 206,
    contentType,
    body: body.subarray(part.start, part.end + 1),
    headers: { ...own, 'content-range': `bytes ${part.start}-${part.end}/${body.length}` },
  };
}
