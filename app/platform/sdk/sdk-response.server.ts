/** How a resource route answers for the SDK: JSON, never cached, and sanitised when an operation fails (W33). */
import contentDisposition from 'content-disposition';
import type { ApiResponse } from '~/frame/api';
import { json, refusal, typed } from '~/frame/json-response.server';
import { PlatformSdkError, type FilePart, type PlatformFile } from './sdk-error.server';

export { refusal };

/**
 * Runs an operation and answers with what it gives, or with what it may say of its failure.
 * @param operation gives a value to send as JSON, or a `Response` of its own.
 */
export async function answer<T>(
  operation: () => Promise<T>,
  status = 200,
): Promise<ApiResponse<Exclude<T, Response>>> {
  try {
    const value = await operation();
    return typed(value instanceof Response ? value : json(value, status));
  } catch (error) {
    if (!(error instanceof PlatformSdkError)) throw error;
    return refusal(error.status, error.code, error.headers);
  }
}

/** For an operation that gives nothing: it is done. */
export function done(): ApiResponse<never> {
  return typed(new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } }));
}

/** The workspace that a request is about, from `?workspace=`. Undefined for the one that the visitor has chosen. */
export function workspaceOf(request: Request): string | undefined {
  return new URL(request.url).searchParams.get('workspace') ?? undefined;
}

/**
 * A request's JSON.
 *
 * @throws {PlatformSdkError} 415 for another kind of body, 400 for one that is no JSON.
 */
export async function jsonOf(request: Request): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw new PlatformSdkError(415, 'unsupported_media_type');
  }
  // No JSON text stands for `undefined`.
  const body: unknown = await request.json().catch(() => undefined);
  if (body === undefined) throw new PlatformSdkError(400, 'malformed_json');
  return body;
}

/** The part of a file that a request asks for. HEAD asks for none (RFC 9110, section 14.2). */
export function partOf({ method, headers }: Request): FilePart {
  if (method !== 'GET') return {};
  return {
    range: headers.get('range') ?? undefined,
    ifRange: headers.get('if-range') ?? undefined,
  };
}

/** A file of the platform's as it is, whole or in part. */
export async function fileAnswer(request: Request, file: PlatformFile): Promise<Response> {
  if (request.method === 'HEAD') await file.body.cancel();
  return new Response(request.method === 'HEAD' ? null : file.body, {
    status: file.status,
    headers: {
      ...file.headers,
      'content-type': file.contentType,
      'content-disposition': contentDisposition(file.filename, { type: 'inline' }),
      // A range counts bytes of the file itself: compression on the way would make it wrong.
      'cache-control': 'private, no-store, no-transform',
    },
  });
}
