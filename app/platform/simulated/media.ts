/** Uploaded files. */
import { createHash, randomBytes } from 'node:crypto';

/** Bytes of all files together. The oldest are evicted. */
const capacity = 256 * 1024 * 1024;

/** A file in the internal API. */
export interface MediaJson {
  id: string;
  content_type: string;
  bytes: number;
  sha256: string;
}

interface Stored extends MediaJson {
  personaId: string;
  body: Buffer;
}

export interface Media {
  add(personaId: string, contentType: string, body: Buffer): MediaJson;
  find(personaId: string, id: string): Stored | null;
  remove(personaId: string, id: string): boolean;
  /** All stored files, oldest first. */
  kept(): MediaJson[];
}

export function createMedia(): Media {
  let stored: Stored[] = [];
  const size = () => stored.reduce((sum, { bytes }) => sum + bytes, 0);

  return {
    add(personaId, contentType, body) {
      const file = {
        id: `med_${randomBytes(12).toString('hex')}`,
        content_type: contentType,
        bytes: body.length,
        sha256: createHash('sha256').update(body).digest('hex'),
      };
      stored.push({ ...file, personaId, body });
      while (size() > capacity) stored = stored.slice(1);
      return file;
    },
    find: (personaId, id) =>
      stored.find((file) => file.id === id && file.personaId === personaId) ?? null,
    remove(personaId, id) {
      const count = stored.length;
      stored = stored.filter((file) => file.id !== id || file.personaId !== personaId);
      return stored.length < count;
    },
    kept: () =>
      stored.map(({ id, content_type, bytes, sha256 }) => ({ id, content_type, bytes, sha256 })),
  };
}
