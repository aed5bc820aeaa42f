/** Stores a file. An aborted upload never reaches this operation. */
import { jsonAnswer } from '@gatehouse/simulator';
import { workspaceGone, workspaceOf } from './acting';
import type { SiteOperation } from '../state';

const contentTypes = ['image/png', 'image/jpeg', 'image/webp', 'video/mp4'];

/** The EICAR test file, which every virus scanner detects (eicar.org). */
const EICAR = 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR';

/** Maximum pixels of a picture: a small file can decompress to far more. */
const MAX_PIXELS = 100_000_000;

export const uploadMedia = {
  name: 'upload',
  method: 'POST',
  path: '/media',
  maxBytes: 100 * 1024 * 1024,
  run(call) {
    const workspace = workspaceOf(call);
    if (!workspace) return workspaceGone;
    if (workspace.role === 'viewer') {
      return jsonAnswer(403, { error: 'forbidden', message: 'Viewers upload nothing.' });
    }
    const { persona, state, headers, body } = call;
    const contentType = headers['content-type'] ?? '';
    if (!contentTypes.includes(contentType)) {
      return jsonAnswer(415, {
        error: 'unsupported_media_type',
        message: `Send one of ${contentTypes.join(', ')}.`,
      });
    }
    if (body.includes(EICAR)) {
      return jsonAnswer(422, { error: 'infected_media', message: 'Eicar-Signature FOUND.' });
    }
    if (contentType === 'image/png' && pixelsOf(body) > MAX_PIXELS) {
      return jsonAnswer(422, { error: 'unsupported_media', message: 'Too many pixels.' });
    }
    return jsonAnswer(201, state.media.add(persona.id, contentType, body));
  },
} as const satisfies SiteOperation;

/** The dimensions in a PNG's header. */
function pixelsOf(png: Buffer): number {
  const isHead = png.length >= 24 && png.toString('latin1', 12, 16) === 'IHDR';
  return isHead ? png.readUInt32BE(16) * png.readUInt32BE(20) : 0;
}
