/** The SDK's files, which are streamed: pictures that the platform made, and uploads. */
import { z } from 'zod';
import { identifyFile, identifyUpload, sampleBytes } from './media-type.server';
import { pictureExtensions, uploadMaxBytes, type Media } from './sdk';
import { rethrow, type SdkCalls } from './calls.server';
import { PlatformSdkError, type FilePart, type PlatformFile } from './port.server';
import type { UpstreamStream, UpstreamStreamCall } from '~/platform/upstream/stream.server';

/** Milliseconds until an answer begins: a picture is made already, an upload may still be looked at. */
const pictureDeadline = 10_000;
const uploadDeadline = 30_000;
const pictureMaxBytes = 25 * 1024 * 1024;
const answerMaxBytes = 64 * 1024;

const knownExtensions = new Set(pictureExtensions.values());
const upstreamMedia = z.object({ id: z.string().min(1), bytes: z.number().int().min(0) });

export interface PictureRequest {
  /** Below the internal address. */
  path: string;
  id: string;
  extension: string;
  part: FilePart | undefined;
}

export function createFileOperations(calls: SdkCalls) {
  const openPicture = async (path: string, headers: UpstreamStreamCall['headers'] = {}) => {
    const codes = { 404: 'not_found', 409: 'not_ready' } as const;
    const answer = await calls.open(
      { path, headers, deadline: pictureDeadline, maxBytes: pictureMaxBytes },
      headers.range === undefined ? codes : { ...codes, 416: 'range_not_satisfiable' },
    );
    const { status, contentLength = 0 } = answer;
    if ((status === 200 || isPart(answer, headers)) && contentLength <= pictureMaxBytes) {
      return answer;
    }
    await answer.body.cancel();
    throw calls.unusable(path, `status ${status}, ${contentLength} bytes`);
  };

  /** The type told by the bytes, not by a header, must be the one that the filename promises (W27). */
  const identifyPicture = async ({ body }: UpstreamStream, { path, extension }: PictureRequest) => {
    const { contentType = 'unknown', stream } = await identifyFile(body).catch(rethrow);
    if (pictureExtensions.get(contentType) === extension) return { contentType, body: stream };
    await stream.cancel();
    throw calls.unusable(path, `bytes of type ${contentType}`);
  };

  return {
    async readPicture(picture: PictureRequest): Promise<PlatformFile> {
      const { path, id, extension } = picture;
      // No picture has another extension, so there is none at such an address.
      if (!knownExtensions.has(extension)) throw new PlatformSdkError(404, 'not_found');
      const filename = `${id}.${extension}`;

      const range = rangeHeaders(picture.part);
      if (!range) {
        const whole = await openPicture(path);
        return { ...(await identifyPicture(whole, picture)), filename, ...head(whole) };
      }
      // A part from the middle does not tell the type, so the beginning is asked for too.
      const start = await openPicture(path, { range: `bytes=0-${sampleBytes - 1}` });
      const { contentType, body } = await identifyPicture(start, picture);
      await body.cancel();
      const part = await openPicture(path, range);
      return { body: part.body, contentType, filename, ...head(part) };
    },

    async uploadMedia(
      file: ReadableStream<Uint8Array>,
      { bytes }: { bytes?: number | undefined } = {},
    ): Promise<Media> {
      if (bytes !== undefined && bytes > uploadMaxBytes) {
        await file.cancel();
        throw new PlatformSdkError(413, 'body_too_large');
      }
      const path = '/media';
      const { contentType, stream } = await identifyUpload(file);
      const body = { stream, contentType, bytes, maxBytes: uploadMaxBytes };
      const answer = await calls.open(
        { path, body, deadline: uploadDeadline, maxBytes: answerMaxBytes },
        { 413: 'body_too_large', 415: 'unsupported_media_type' },
      );
      const text = await new Response(answer.body).text().catch(rethrow);
      const media = calls.parse(upstreamMedia, text, path);
      return { id: media.id, contentType, bytes: media.bytes };
    },
  };
}

/**
 * The headers that ask the platform for a part; null asks for the whole file. Only a single range of bytes is
 * passed on: a server may ignore any other (RFC 9110, section 14.2).
 */
function rangeHeaders({ range, ifRange }: FilePart = {}): UpstreamStreamCall['headers'] | null {
  if (range === undefined || !/^bytes=(\d+-\d*|-\d+)$/.test(range)) return null;
  if (ifRange === undefined) return { range };
  return /^[\x20-\x7e]{1,200}$/.test(ifRange) ? { range, 'if-range': ifRange } : null;
}

/** Whether an answer is the part that was asked for. Where a suffix range begins depends on the file's length. */
function isPart(
  { status, contentRange = '' }: UpstreamStream,
  { range = '' }: NonNullable<UpstreamStreamCall['headers']>,
): boolean {
  const [, given] = /^bytes (\d+)-\d+\/(?:\d+|\*)$/.exec(contentRange) ?? [];
  const [, asked] = /^bytes=(\d*)-/.exec(range) ?? [];
  if (status !== 206 || given === undefined || asked === undefined) return false;
  return asked === '' || Number(asked) === Number(given);
}

/** The status and headers of the platform's answer that may reach the visitor. */
function head({
  status,
  contentLength,
  contentRange,
  acceptRanges,
  etag = '',
}: UpstreamStream): Pick<PlatformFile, 'status' | 'headers'> {
  return {
    status: status === 206 ? 206 : 200,
    headers: {
      ...(contentLength !== undefined && { 'content-length': String(contentLength) }),
      ...(status === 206 && contentRange !== undefined && { 'content-range': contentRange }),
      ...(acceptRanges === 'bytes' && { 'accept-ranges': 'bytes' }),
      ...(/^(W\/)?"[\x21\x23-\x7e]*"$/.test(etag) && { etag }),
    },
  };
}
