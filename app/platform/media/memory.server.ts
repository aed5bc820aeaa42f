/** The visitor's media in the offline demo (W31). */
import { createHash, randomUUID } from 'node:crypto';
import {
  demoWorkspaceOf,
  keepDemoAccount,
  type DemoAccount,
  type DemoMedia,
} from '../demo-account.server';
import { identifyUpload, PlatformSdkError } from '@gatehouse/platform/server';
import { mediaOf } from './media-of.server';
import { mediaExtensions, uploadMaxBytes, uploadTypes } from './media';
import type { MediaFiles } from './port.server';

/** Bytes of all accounts' files together. The oldest are evicted. As much again may be arriving. */
const capacity = 128 * 1024 * 1024;

const held = new Set<DemoMedia>();
const arriving = { bytes: 0 };

export function createDemoMedia(account: DemoAccount, workspace?: string): MediaFiles {
  const find = (id: string): DemoMedia => {
    const media = account.media.get(id);
    if (!media) throw new PlatformSdkError(404, 'not_found');
    return media;
  };
  return {
    async upload(file, { bytes: said = 0 } = {}) {
      if (said > uploadMaxBytes) {
        await file.cancel();
        throw new PlatformSdkError(413, 'body_too_large');
      }
      const { role } = demoWorkspaceOf(account, workspace);
      if (role === 'viewer') throw new PlatformSdkError(403, 'forbidden');
      const { contentType, stream } = await identifyUpload(file, uploadTypes);
      const body = await wholeOf(stream);
      const sha256 = createHash('sha256').update(body).digest('hex');
      const media = {
        id: `demo_${randomUUID()}`,
        contentType,
        bytes: body.length,
        sha256,
        body,
      };
      keepDemoAccount(account);
      account.media.set(media.id, media);
      hold(media);
      return mediaOf({ id: media.id, contentType, bytes: media.bytes, sha256 });
    },
    async remove(id) {
      held.delete(find(id));
      await Promise.resolve(account.media.delete(id));
    },
    async read(id, extension) {
      const { contentType, bytes, body } = await Promise.resolve(find(id));
      if (!body || mediaExtensions.get(contentType) !== extension) {
        throw new PlatformSdkError(404, 'not_found');
      }
      return {
        status: 200,
        body: new Blob([body]).stream(),
        contentType,
        filename: `${id}.${extension}`,
        headers: { 'content-length': String(bytes) },
      };
    },
  };
}

function hold(media: DemoMedia): void {
  held.add(media);
  let size = 0;
  for (const { bytes } of held) size += bytes;
  for (const oldest of held) {
    if (size <= capacity) return;
    size -= oldest.bytes;
    oldest.body = null;
    held.delete(oldest);
  }
}

async function wholeOf(file: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of file as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      arriving.bytes += chunk.length;
      // Leaving the loop cancels the unread rest.
      if (size > uploadMaxBytes) throw new PlatformSdkError(413, 'body_too_large');
      if (arriving.bytes > capacity) throw new PlatformSdkError(429, 'rate_limited');
      chunks.push(chunk);
    }
    return Uint8Array.from(Buffer.concat(chunks, size));
  } finally {
    arriving.bytes -= size;
  }
}
