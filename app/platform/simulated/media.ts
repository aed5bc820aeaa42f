/** Uploaded files. */
import { createHash, randomBytes } from 'node:crypto';
import {
  errorResponse,
  fileResponse,
  jsonResponse,
  noContent,
  type Operation,
} from '@gatehouse/simulator/operations';
import { workspaceGone, workspaceOf, type Workspaces } from './workspaces';

/** A file in the internal API. */
export interface MediaJson {
  id: string;
  content_type: string;
  bytes: number;
  sha256: string;
}

interface Stored {
  json: MediaJson;
  personaId: string;
  body: Buffer;
}

export type Media = ReturnType<typeof createState>;

/** @param capacity bytes of all files together. The oldest are evicted. */
export function createState(_parts?: unknown, capacity = 256 * 1024 * 1024) {
  /** By id, oldest first. */
  const stored = new Map<string, Stored>();
  let size = 0;
  /** What is kept of a file besides its bytes takes room, too. */
  const roomFor = ({ body }: Stored) => body.length + 1_024;
  const drop = (file: Stored) => {
    stored.delete(file.json.id);
    size -= roomFor(file);
  };
  const find = (personaId: string, id: string): Stored | null => {
    const file = stored.get(id);
    return file?.personaId === personaId ? file : null;
  };
  return {
    find,
    add(personaId: string, contentType: string, body: Buffer): MediaJson {
      const json = {
        id: `med_${randomBytes(12).toString('hex')}`,
        content_type: contentType,
        bytes: body.length,
        sha256: createHash('sha256').update(body).digest('hex'),
      };
      const file = { json, personaId, body };
      stored.set(json.id, file);
      size += roomFor(file);
      for (const oldest of stored.values()) {
        if (size <= capacity) break;
        drop(oldest);
      }
      return json;
    },
    remove(personaId: string, id: string): boolean {
      const file = find(personaId, id);
      if (file) drop(file);
      return file !== null;
    },
    /** All stored files, oldest first. */
    kept: (): MediaJson[] => [...stored.values()].map(({ json }) => json),
  };
}

/** The files of all visitors together have this much room. As much again may be arriving. */
const demoFiles = createState(undefined, 128 * 1024 * 1024);
export const createDemoState = () => demoFiles;

const contentTypes = ['image/png', 'image/jpeg', 'image/webp', 'video/mp4'];

/** The EICAR test file, which every virus scanner detects (eicar.org). */
const EICAR = 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR';

/** Maximum pixels of a picture: a small file can decompress to far more. */
const MAX_PIXELS = 100_000_000;

const noSuchFile = errorResponse(404, 'not_found', 'No such file.');

export const operations = [
  {
    // An aborted upload never gets here.
    name: 'upload',
    method: 'POST',
    path: '/media',
    maxBytes: 100 * 1024 * 1024,
    run(call) {
      const workspace = workspaceOf(call);
      if (!workspace) return workspaceGone;
      if (workspace.role === 'viewer') {
        return errorResponse(403, 'forbidden', 'Viewers upload nothing.');
      }
      const { persona, state, headers, body } = call;
      const contentType = headers['content-type'] ?? '';
      if (!contentTypes.includes(contentType)) {
        const message = `Send one of ${contentTypes.join(', ')}.`;
        return errorResponse(415, 'unsupported_media_type', message);
      }
      if (body.includes(EICAR)) {
        return errorResponse(422, 'infected_media', 'Eicar-Signature FOUND.');
      }
      if (contentType === 'image/png' && pixelsOf(body) > MAX_PIXELS) {
        return errorResponse(422, 'unsupported_media', 'Too many pixels.');
      }
      return jsonResponse(201, state.media.add(persona.id, contentType, body));
    },
  },
  {
    name: 'media',
    method: 'GET',
    path: '/media/:id',
    run({ persona, state: { media }, params: { id = '' }, headers }) {
      const file = media.find(persona.id, id);
      if (!file) return noSuchFile;
      return fileResponse(headers, file.json.content_type, file.body, file.json.sha256);
    },
  },
  {
    name: 'remove-media',
    method: 'DELETE',
    path: '/media/:id',
    run: ({ persona, state: { media }, params: { id = '' } }) =>
      media.remove(persona.id, id) ? noContent : noSuchFile,
  },
] as const satisfies readonly Operation<{ media: Media; workspaces: Workspaces }>[];

/** The dimensions in a PNG's header. */
function pixelsOf(png: Buffer): number {
  const isHead = png.length >= 24 && png.toString('latin1', 12, 16) === 'IHDR';
  return isHead ? png.readUInt32BE(16) * png.readUInt32BE(20) : 0;
}
