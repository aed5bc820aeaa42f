/** How a resource route answers for the SDK: JSON, never cached, and sanitised when an operation fails (W33). */
import contentDisposition from 'content-disposition';
import type { ApiResponse } from '~/frame/api';
import { json, refusal, typed } from '~/frame/api-answers.server';
import { PlatformSdkError, type FilePart, type PlatformFile } from './port.server';

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
