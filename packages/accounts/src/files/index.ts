/** Files of members, in the rows of the site's store. */
import { createHash } from 'node:crypto';
import { truncate } from '@gatehouse/frame';
import { contentTypeOf } from '@gatehouse/frame/file-type';
import type { ApiResponse } from '@gatehouse/frame/browser';
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
import { pictureSize, type PictureSize } from './picture-size.ts';
import { FileRefused } from './refused.ts';

export { fileMigrations, type FileTables } from './migrations.ts';
export { pictureExtensions } from './picture-size.ts';
export { FileRefused, type FileRefusal } from './refused.ts';
export type { Room } from './file-rows.ts';

export interface FilesOptions {
  store: SiteStore['store'];
  /** Tells these files from the site's others. */
  kind: string;
  /**
   * The media types that are accepted, and the extension of each; empty for that of the file's own name.
   * `application/octet-stream` accepts what has no known mark, such as texts.
   */
  extensions: ReadonlyMap<string, string>;
  /** Of one file. The `handle` of a route that receives one declares the same. */
  maxBytes: number;
  /** What all files of an account may be together, of whichever kind. */
  room: Room;
  /** For a kind of pictures (`pictureExtensions`). */
  pictures?: {
    /** Pixels that one is wide or high at most. */
    maxSide: number;
    /** Whether `respondToEverybody` shows them. */
    areForEverybody?: boolean;
  };
}

export interface KeptFile {
  id: string;
  name: string;
  type: string;
  size: number;
  /** Of a picture, in pixels. */
  width: number | null;
  height: number | null;
}

export interface GivenFile {
  name: string;
  bytes: ReadableStream<Uint8Array>;
}

const shownColumns = ['id', 'name', 'type', 'size', 'width', 'height'] as const;

/** Files of one kind. Each function takes the id of the account whose files they are, as the guard returned it. */
export function defineFiles(options: FilesOptions) {
  const { store, kind, maxBytes, room, pictures } = options;
  const db = () => store<FileTables>();
  const ready = () =>
    db().selectFrom('account_file').where('kind', '=', kind).where('state', '=', 'ready');
  const own = (accountId: string) => ready().where('account_id', '=', accountId);
  const respond = async (
    request: Request,
    found: ReturnType<typeof ready>,
    { id, isForEverybody }: { id: string; isForEverybody: boolean },
  ) => {
    const columns = [...shownColumns, 'sha256'] as const;
    const file = isId(id)
      ? await found.select(columns).where('id', '=', id).executeTakeFirst()
      : undefined;
    if (!file) return refusal(404, 'not_found');
    const read = (start: number, end: number) => readBytes(db(), id, start, end);
    // A name is its owner's words.
    const name = isForEverybody ? file.name.replace(/^.*\./, `${kind}.`) : file.name;
    return fileResponse(request, { ...file, name }, { isForEverybody, read });
  };

  /**
   * Keeps a file as it arrives, a chunk in memory at a time.
   *
   * @throws {FileRefused} and whatever the stream throws. Nothing is kept then.
   */
  const keep = async (accountId: string, { name, bytes }: GivenFile): Promise<KeptFile> => {
    const chunks = chunksOf(bytes);
    let id: string | undefined;
    let head: FileHead | undefined;
    try {
      await deleteAbandoned(db());
      let size = 0;
      const hash = createHash('sha256');
      for await (const chunk of chunks) {
        if (id === undefined) {
          head = await headOf(chunk, name, options);
          id = await beginFile(db(), { ...head, account_id: accountId, kind }, room);
        }
        const number = size / chunkBytes;
        size += chunk.length;
        if (size > maxBytes) throw new FileRefused('file_too_large');
        hash.update(chunk);
        await addChunk(db(), { fileId: id, accountId, number, bytes: chunk }, room);
      }
      // An empty file has no type.
      if (id === undefined || !head) throw new FileRefused('unsupported_media_type');
      await finishFile(db(), id, hash.digest('hex'));
      return { id, ...head, size };
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
    async receive(account: { id: string }, request: Request): Promise<ApiResponse<KeptFile>> {
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
    respond: (request: Request, accountId: string, id: string): Promise<Response> =>
      respond(request, own(accountId), { id, isForEverybody: false }),
    /** A picture, whoever's it is: the route says which are public. It declares `access: 'none'`, and `cache` if it wants. */
    respondToEverybody(request: Request, id: string): Promise<Response> {
      if (!pictures?.areForEverybody)
        throw new Error(`Files of the kind “${kind}” are not for everybody.`);
      return respond(request, ready(), { id, isForEverybody: true });
    },
    /** @returns whether the account had it. */
    async remove(accountId: string, id: string): Promise<boolean> {
      if (!isId(id)) return false;
      const file = await own(accountId).select('id').where('id', '=', id).executeTakeFirst();
      if (file) await deleteFile(db(), file.id);
      return file !== undefined;
    },
    /** Deletes what uploads left that ended with their process: each upload does it, for all accounts. */
    deleteAbandoned: () => deleteAbandoned(db()),
  };
}

/** Whether it may name a file: of other texts, PostgreSQL refuses some with an error. */
function isId(id: string): boolean {
  return /^[\da-f-]{36}$/.test(id);
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

type FileHead = Omit<KeptFile, 'id' | 'size'>;

/** What the first bytes say, whatever was declared. @throws {FileRefused} for what is not accepted. */
async function headOf(
  first: Uint8Array,
  name: string,
  { extensions, pictures }: FilesOptions,
): Promise<FileHead> {
  const type = (await contentTypeOf(first)) ?? 'application/octet-stream';
  const extension = extensions.get(type);
  if (extension === undefined) throw new FileRefused('unsupported_media_type');
  const size: PictureSize | null = pictureSize(type, first);
  if (pictures && !size) throw new FileRefused('unreadable_picture');
  if (pictures && size && Math.max(size.width, size.height) > pictures.maxSide) {
    throw new FileRefused('picture_too_large');
  }
  const { width = null, height = null } = size ?? {};
  return { name: fileName(name, extension), type, width, height };
}

/** A name without folders and control characters, which no header refuses, with the extension of its type. */
function fileName(given: string, extension: string): string {
  const name = given
    .toWellFormed()
    .replace(/^.*[/\\]/s, '')
    .replaceAll(/\p{C}/gu, '')
    .trim();
  if (extension === '') return truncate(name, 200) || 'file';
  return `${truncate(name.replace(/\.\w{1,5}$/, ''), 200) || 'file'}.${extension}`;
}
