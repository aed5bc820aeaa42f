/** Files of members, in the rows of the site's store. */
import { createHash } from 'node:crypto';
import { fileTypeFromBuffer } from 'file-type';
import { truncate } from '@gatehouse/frame';
import { isFromPageOf, json, refusal } from '@gatehouse/frame/server';
import type { SiteStore } from '@gatehouse/store';
import {
  addChunk,
  beginFile,
  chunkBytes,
  deleteAbandoned,
  deleteFile,
  finishFile,
  readBytes,
  type Room,
} from './file-rows.ts';
import { fileResponse } from './file-response.ts';
import type { FileTables } from './migrations.ts';
import { FileRefused } from './refused.ts';

export { fileMigrations, type FileTables } from './migrations.ts';
export { FileRefused, type FileRefusal } from './refused.ts';
export type { Room } from './file-rows.ts';

export interface FilesOptions {
  store: SiteStore['store'];
  /** Tells these files from the site's others. */
  kind: string;
  /** The media types that are accepted. `application/octet-stream` accepts what no program is known to read. */
  types: readonly string[];
  /** Of one file. The `handle` of a route that receives one declares the same. */
  maxBytes: number;
  /** What all files of an account may be together, of whichever kind. */
  room: Room;
}

export interface KeptFile {
  id: string;
  name: string;
  type: string;
  size: number;
}

export interface GivenFile {
  name: string;
  bytes: ReadableStream<Uint8Array>;
}

const shownColumns = ['id', 'name', 'type', 'size'] as const;

/** Files of one kind. Each function takes the id of the account whose files they are, as the guard returned it. */
export function defineFiles({ store, kind, types, maxBytes, room }: FilesOptions) {
  const db = () => store<FileTables>();
  const own = (accountId: string) =>
    db()
      .selectFrom('account_file')
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .where('state', '=', 'ready');

  /**
   * Keeps a file as it arrives, a chunk in memory at a time.
   *
   * @throws {FileRefused} and whatever the stream throws. Nothing is kept then.
   */
  const keep = async (accountId: string, { name, bytes }: GivenFile): Promise<KeptFile> => {
    const chunks = chunksOf(bytes);
    let id: string | undefined;
    try {
      await deleteAbandoned(db());
      let size = 0;
      let type = '';
      const hash = createHash('sha256');
      for await (const chunk of chunks) {
        if (id === undefined) {
          type = await typeOf(chunk, types);
          const row = { account_id: accountId, kind, name: fileName(name), type };
          id = await beginFile(db(), row, room);
        }
        const number = size / chunkBytes;
        size += chunk.length;
        if (size > maxBytes) throw new FileRefused('file_too_large');
        hash.update(chunk);
        await addChunk(db(), { fileId: id, accountId, number, bytes: chunk }, room);
      }
      // An empty file has no type.
      if (id === undefined) throw new FileRefused('unsupported_media_type');
      await finishFile(db(), id, hash.digest('hex'));
      return { id, name: fileName(name), type, size };
    } catch (error) {
      // A later upload deletes what cannot be deleted now.
      if (id !== undefined) await deleteFile(db(), id).catch(() => undefined);
      throw error;
    }
  };

  return {
    keep,
    /**
     * The response of an action that `uploadFile` posts to: the whole body is the file, `?name=` its name, and
     * `?account=` the account of the page that sends it. Call it after the guard.
     */
    async receive(account: { id: string }, request: Request): Promise<Response> {
      if (request.method !== 'POST') return refusal(405, 'method_not_allowed', { allow: 'POST' });
      if (!isFromPageOf(account.id, request)) return refusal(409, 'account_changed');
      if (!request.body) return refusal(415, 'unsupported_media_type');
      const name = new URL(request.url).searchParams.get('name') ?? '';
      try {
        return json(await keep(account.id, { name, bytes: request.body }), 201);
      } catch (error) {
        if (error instanceof FileRefused) return refusal(error.status, error.code);
        throw error;
      }
    },
    /** The newest first. */
    list: (accountId: string): Promise<KeptFile[]> =>
      own(accountId).select(shownColumns).orderBy('created_at', 'desc').orderBy('id').execute(),
    /** A file, or the part that the request asks for; 404 if it is not the account's. */
    async respond(request: Request, accountId: string, id: string): Promise<Response> {
      const columns = [...shownColumns, 'sha256'] as const;
      const file = await own(accountId).select(columns).where('id', '=', id).executeTakeFirst();
      if (!file) return refusal(404, 'not_found');
      return fileResponse(request, file, (start, end) => readBytes(db(), id, start, end));
    },
    /** @returns whether the account had it. */
    async remove(accountId: string, id: string): Promise<boolean> {
      const file = await own(accountId).select('id').where('id', '=', id).executeTakeFirst();
      if (file) await deleteFile(db(), file.id);
      return file !== undefined;
    },
    /** Deletes what uploads left that ended with their process: each upload does it, for all accounts. */
    deleteAbandoned: () => deleteAbandoned(db()),
  };
}

/** Chunks of the same size, but the last. Whoever breaks off cancels the stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  const reader = stream.getReader();
  let isDone = false;
  try {
    let chunk = Buffer.alloc(chunkBytes);
    let filled = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      for (let at = 0; at < next.value.length;) {
        const part = next.value.subarray(at, at + chunkBytes - filled);
        chunk.set(part, filled);
        at += part.length;
        filled += part.length;
        if (filled < chunkBytes) continue;
        yield chunk;
        chunk = Buffer.alloc(chunkBytes);
        filled = 0;
      }
    }
    isDone = true;
    if (filled > 0) yield chunk.subarray(0, filled);
  } finally {
    if (!isDone) await reader.cancel().catch(() => undefined);
  }
}

/** As its bytes say. @throws {FileRefused} for another than those that are accepted. */
async function typeOf(first: Uint8Array, types: readonly string[]): Promise<string> {
  const found = await fileTypeFromBuffer(first.subarray(0, 4_100));
  const type = found?.mime ?? 'application/octet-stream';
  if (!types.includes(type)) throw new FileRefused('unsupported_media_type');
  return type;
}

/** A name without folders and control characters, which no header refuses. */
function fileName(given: string): string {
  const name = given
    .toWellFormed()
    .replace(/^.*[/\\]/s, '')
    .replaceAll(/\p{C}/gu, '')
    .trim();
  return truncate(name, 200) || 'file';
}
