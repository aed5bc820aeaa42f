/** The visitor's media over HTTP (W12). */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  createFileReader,
  identifyUpload,
  PlatformSdkError,
  rethrow,
  type SdkCalls,
  segmentOf,
} from '@gatehouse/platform/server';
import { mediaExtensions, uploadMaxBytes, uploadTypes } from './media';
import { mediaOf } from './media-of.server';
import type { MediaFiles } from './port.server';

/**
 * Milliseconds until the response headers, once the body is sent: the platform may scan the file
 * first.
 */
const uploadDeadline = 30_000;
const answerMaxBytes = 64 * 1024;

const upstreamMedia = z.object({
  id: z
    .string()
    .min(1)
    .refine((id) => id.isWellFormed()),
  bytes: z.number().int().min(0),
  sha256: z.string(),
});

export function createMediaFiles(calls: SdkCalls): MediaFiles {
  const readFile = createFileReader(calls, mediaExtensions);

  const remove = async (id: string) =>
    calls.send({ method: 'DELETE', path: pathOf(id) }, { 404: 'not_found' });

  return {
    async upload(file, { bytes } = {}) {
      if (bytes !== undefined && bytes > uploadMaxBytes) {
        await file.cancel();
        throw new PlatformSdkError(413, 'body_too_large');
      }
      const path = calls.inWorkspace('/media');
      const { contentType, stream } = await identifyUpload(file, uploadTypes);
      const sent = hashed(stream);
      const body = { stream: sent.stream, contentType, bytes, maxBytes: uploadMaxBytes };
      const answer = await calls.open(
        { path, body, deadline: uploadDeadline, maxBytes: answerMaxBytes },
        {
          409: 'workspace_gone',
          413: 'body_too_large',
          415: 'unsupported_media_type',
          422: { infected_media: 'infected_media', unsupported_media: 'unsupported_media' },
        },
      );
      const text = await new Response(answer.body).text().catch(rethrow);
      const kept = calls.parse(upstreamMedia, text, path);
      const { sha256, length } = sent.digest();
      if (kept.sha256 !== sha256 || kept.bytes !== length) {
        // The platform stored different bytes than were sent, so the file must not be used.
        await remove(kept.id).catch(() => undefined);
        throw calls.unusable(path, 'another file than was sent');
      }
      return mediaOf({ id: kept.id, contentType, bytes: length, sha256 });
    },
    remove,
    read: async (id, extension, part) => readFile({ path: pathOf(id), id, extension, part }),
  };
}

function pathOf(id: string): string {
  return `/media/${segmentOf(id)}`;
}

/** Passes the bytes through, and gives their digest and length at the end. */
function hashed(file: ReadableStream<Uint8Array>) {
  const hash = createHash('sha256');
  let length = 0;
  const passing = new TransformStream<Uint8Array, Uint8Array>(
    {
      transform(chunk, controller) {
        hash.update(chunk);
        length += chunk.length;
        controller.enqueue(chunk);
      },
    },
    undefined,
    { highWaterMark: 0 },
  );
  return {
    stream: file.pipeThrough(passing),
    digest: () => ({ sha256: hash.digest('hex'), length }),
  };
}
