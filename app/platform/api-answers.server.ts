/** How a resource route answers: JSON, never cached, and sanitised when an operation fails (W33). */
import type { ApiResponse } from './api';
import { PlatformSdkError } from './sdk-port.server';

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
    return refusal(error.status, error.code);
  }
}

/** `{ "error": code }` with a status. */
export function refusal(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): ApiResponse<never> {
  return typed(json({ error: code }, status, headers));
}

/** The type says what the JSON is; at run time there is nothing more to it. */
function typed<T>(response: Response): ApiResponse<T> {
  return response as ApiResponse<T>;
}

function json(value: unknown, status: number, headers: Record<string, string> = {}): Response {
  return Response.json(value, { status, headers: { ...headers, 'cache-control': 'no-store' } });
}
