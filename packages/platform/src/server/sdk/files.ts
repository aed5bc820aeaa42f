/**
 * Files that the platform stores, streamed whole or in part: generated outputs and the visitor's
 * uploads.
 */
import { identifyFile, sampleBytes, type IdentifiedFile } from '@gatehouse/frame/file-type';
import { rethrow, type SdkCalls } from './calls.ts';
import { PlatformSdkError, type FilePart, type PlatformFile } from './sdk-error.ts';
import type { UpstreamStream, UpstreamStreamCall } from '../upstream/stream.ts';

/** Milliseconds until the response headers: the file already exists. */
const fileDeadline = 10_000;
const fileMaxBytes = 256 * 1024 * 1024;

interface FileRequest {
  /** Path below the internal address. */
  path: string;
  id: string;
  extension: string;
  part: FilePart | undefined;
}

export interface FileOptions {
  get: (id: string) => string;
  /** The allowed media types, and the extension of each. */
  extensions: ReadonlyMap<string, string>;
}

/**
 * Declares a file.
 *
 * @returns a method that reads it, or a byte range of it, under the extension in its address.
 */
export function file({ get, extensions }: FileOptions) {
  return (calls: SdkCalls) => {
    const readFile = createFileReader(calls, extensions);
    return async (id: string, extension: string, part?: FilePart): Promise<PlatformFile> =>
      readFile({ path: get(id), id, extension, part });
  };
}

function createFileReader(calls: SdkCalls, extensions: ReadonlyMap<string, string>) {
  const known = new Set(extensions.values());

  const openFile = async (path: string, headers: UpstreamStreamCall['headers'] = {}) => {
    const codes = { 404: 'not_found', 409: 'not_ready' } as const;
    const response = await calls.open(
      { path, headers, deadline: fileDeadline, maxBytes: fileMaxBytes },
      headers.range === undefined ? codes : { ...codes, 416: 'range_not_satisfiable' },
    );
    const { status, contentLength = 0 } = response;
    if ((status === 200 || isPart(response, headers)) && contentLength <= fileMaxBytes) {
      return response;
    }
    await response.body.cancel();
    throw calls.unusable(path, `status ${status}, ${contentLength} bytes`);
  };

  /**
   * The type detected from the bytes, not the header, must match the filename's extension (W27).
   */
  const identify = async ({ body }: UpstreamStream, { path, extension }: FileRequest) => {
    const { contentType = 'unknown', stream } = await identifyFile(body).catch(rethrow);
    if (extensions.get(contentType) === extension) return { contentType, body: stream };
    await stream.cancel();
    throw calls.unusable(path, `bytes of type ${contentType}`);
  };

  return async function readFile(file: FileRequest): Promise<PlatformFile> {
    const { path, id, extension } = file;
    // No file has another extension.
    if (!known.has(extension)) throw new PlatformSdkError(404, 'not_found');
    const filename = `${id}.${extension}`;

    const range = rangeHeaders(file.part);
    if (!range) {
      const whole = await openFile(path);
      return { ...(await identify(whole, file)), filename, ...head(whole) };
    }
    // A range from the middle does not reveal the type, so the first bytes are requested as well.
    const start = await openFile(path, { range: `bytes=0-${sampleBytes - 1}` });
    const { contentType, body } = await identify(start, file);
    await body.cancel();
    const part = await openFile(path, range);
    return { body: part.body, contentType, filename, ...head(part) };
  };
}

/**
 * The headers that request a range from the platform; null requests the whole file. Only a single
 * byte range is passed on: a server may ignore any other (RFC 9110, section 14.2).
 */
function rangeHeaders({ range, ifRange }: FilePart = {}): UpstreamStreamCall['headers'] | null {
  if (range === undefined || !/^bytes=(\d+-\d*|-\d+)$/.test(range)) return null;
  if (ifRange === undefined) return { range };
  return /^[\x20-\x7e]{1,200}$/.test(ifRange) ? { range, 'if-range': ifRange } : null;
}

/**
 * Whether a response is the requested range. The start of a suffix range depends on the file's
 * length.
 */
function isPart(
  { status, contentRange = '' }: UpstreamStream,
  { range = '' }: NonNullable<UpstreamStreamCall['headers']>,
): boolean {
  const [, given] = /^bytes (\d+)-\d+\/(?:\d+|\*)$/.exec(contentRange) ?? [];
  const [, requested] = /^bytes=(\d*)-/.exec(range) ?? [];
  if (status !== 206 || given === undefined || requested === undefined) return false;
  return requested === '' || Number(requested) === Number(given);
}

/** The status and headers of the platform's response that may reach the visitor. */
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

/**
 * Identifies an upload and checks that its type is allowed.
 *
 * @param types the allowed media types.
 * @throws {PlatformSdkError} 415; the stream is cancelled.
 * @throws whatever the stream throws.
 */
export async function identifyUpload(
  content: ReadableStream<Uint8Array>,
  types: readonly string[],
): Promise<IdentifiedFile & { contentType: string }> {
  const { contentType, stream } = await identifyFile(content);
  if (contentType !== undefined && types.includes(contentType)) {
    return { contentType, stream };
  }
  await stream.cancel();
  throw new PlatformSdkError(415, 'unsupported_media_type');
}
