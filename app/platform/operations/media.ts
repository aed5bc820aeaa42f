/** The visitor's media (W12). */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  file,
  identifyUpload,
  operation,
  PlatformSdkError,
  rethrow,
  type SdkCalls,
  segmentOf,
} from '@gatehouse/platform/server';
import { mediaExtensions, uploadMaxBytes, uploadTypes, type Media } from '../media/media';

/**
 * Milliseconds until the response headers, once the body is sent: the platform may scan the file
 * first.
 */
const uploadDeadline = 30_000;
const responseMaxBytes = 64 * 1024;

const upstreamMedia = z.object({
  id: z
    .string()
    .min(1)
    .refine((id) => id.isWellFormed()),
  bytes: z.number().int().min(0),
  sha256: z.string(),
});

const pathOf = (id: string) => `/media/${segmentOf(id)}`;

const remove = operation({ delete: pathOf, codes: { 404: 'not_found' } });

export const media = {
  upload,
  remove,
  read: file({ get: pathOf, extensions: mediaExtensions }),
};

/**
 * Uploads a file, whose type is detected from its first bytes. If the stream errors, the upload is
 * cancelled and the platform stores nothing, and the stream's error is thrown.
 */
function upload(calls: SdkCalls) {
  return async (
    content: ReadableStream<Uint8Array>,
    /** Its length, if known in advance. */
    { bytes }: { bytes?: number | undefined } = {},
  ): Promise<Media> => {
    if (bytes !== undefined && bytes > uploadMaxBytes) {
      await content.cancel();
      throw new PlatformSdkError(413, 'body_too_large');
    }
    const path = calls.inWorkspace('/media');
    const { contentType, stream } = await identifyUpload(content, uploadTypes);
    const sent = hashed(stream);
    const body = { stream: sent.stream, contentType, bytes, maxBytes: uploadMaxBytes };
    const response = await calls.open(
      { path, body, deadline: uploadDeadline, maxBytes: responseMaxBytes },
      {
        409: 'workspace_gone',
        413: 'body_too_large',
        415: 'unsupported_media_type',
        422: { infected_media: 'infected_media', unsupported_media: 'unsupported_media' },
      },
    );
    const text = await new Response(response.body).text().catch(rethrow);
    const { id, ...kept } = calls.parse(upstreamMedia, text, path);
    const { sha256, length } = sent.digest();
    if (kept.sha256 !== sha256 || kept.bytes !== length) {
      // The platform stored different bytes than were sent, so the file must not be used.
      await remove(calls)(id).catch(() => undefined);
      throw calls.unusable(path, 'another file than was sent');
    }
    const extension = mediaExtensions.get(contentType) ?? 'bin';
    return {
      id,
      contentType,
      bytes: length,
      sha256,
      url: `/api/media/${encodeURIComponent(id)}/file.${extension}`,
      filename: `${id}.${extension}`,
    };
  };
}

/** Passes the bytes through, and gives their digest and length at the end. */
function hashed(content: ReadableStream<Uint8Array>) {
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
    stream: content.pipeThrough(passing),
    digest: () => ({ sha256: hash.digest('hex'), length }),
  };
}
