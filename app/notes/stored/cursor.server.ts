/** Keyset pagination: the sort key of a page's last note, after which the next page begins. */
import { z } from 'zod';

export interface Cursor {
  pinned: boolean;
  updatedAt: Date;
  id: string;
}

const written = z.tuple([z.boolean(), z.iso.datetime(), z.uuid()]);

export function writeCursor({ pinned, updatedAt, id }: Cursor): string {
  return Buffer.from(JSON.stringify([pinned, updatedAt.toISOString(), id])).toString('base64url');
}

/**
 * Decodes a cursor from the query. It is not authenticated, and need not be: it only sets the start
 * of a list that is limited to the owner.
 */
export function readCursor(text: string): Cursor | null {
  try {
    const [pinned, at, id] = written.parse(
      JSON.parse(Buffer.from(text, 'base64url').toString('utf8')),
    );
    return { pinned, updatedAt: new Date(at), id };
  } catch {
    return null;
  }
}
