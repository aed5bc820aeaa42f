/**
 * Resource routes' responses for SDK operations: JSON, never cached, and sanitised on failure
 * (W33).
 */
import contentDisposition from 'content-disposition';
import type { ApiResponse } from '@gatehouse/frame/browser';
import { json, refusal, typed } from '@gatehouse/frame/server';
import { PlatformSdkError, type FilePart, type PlatformFile } from './sdk-error.ts';

export { refusal };

/**
 * Runs an operation and responds with its value, or with its error's code.
 *
 * @param operation returns a value to send as JSON, or a `Response` of its own.
 */
export async function respondWith<T>(
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

/** For an operation without a result. */
export function done(): ApiResponse<never> {
  return typed(new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } }));
}

/**
 * The workspace named by `?workspace=`. Undefined: the one the visitor has chosen.
 *
 * @param address `request.url`, which a route may read before its guard.
 */
export function workspaceOf(address: string): string | undefined {
  return new URL(address).searchParams.get('workspace') ?? undefined;
}

/**
 * Parses a request's JSON body.
 *
 * @throws {PlatformSdkError} 415 for another content type, 400 for invalid JSON.
 */
export async function jsonOf(request: Request): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw new PlatformSdkError(415, 'unsupported_media_type');
  }
  // `undefined` marks a parse error: no JSON text parses to it.
  const body: unknown = await request.json().catch(() => undefined);
  if (body === undefined) throw new PlatformSdkError(400, 'malformed_json');
  return body;
}

/** The range that a request asks for. HEAD ignores ranges (RFC 9110, section 14.2). */
export function partOf({ method, headers }: Request): FilePart {
  if (method !== 'GET') return {};
  return {
    range: headers.get('range') ?? undefined,
    ifRange: headers.get('if-range') ?? undefined,
  };
}

/** Streams a file of the platform's, complete or in part. */
export async function fileResponse(request: Request, file: PlatformFile): Promise<Response> {
  if (request.method === 'HEAD') await file.body.cancel();
  return new Response(request.method === 'HEAD' ? null : file.body, {
    status: file.status,
    headers: {
      ...file.headers,
      'content-type': file.contentType,
      'content-disposition': contentDisposition(file.filename, { type: 'inline' }),
      // `no-transform`: a range counts bytes of the file itself, which compression by a proxy would
      // change.
      'cache-control': 'private, no-store, no-transform',
    },
  });
}
