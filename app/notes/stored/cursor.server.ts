/** Where a page of the list begins: after the last note of the page before, by what the list is ordered by. */
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

/** Anybody can write one. It only says where to begin: whose notes are listed, the account says. */
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
