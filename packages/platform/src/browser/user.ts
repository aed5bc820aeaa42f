/**
 * The browser's user loader (W14). `/api/user` is the only profile address that a browser knows.
 */

const failure = 'Failed to load user';

/**
 * @returns the platform's profile, or null when signed out.
 * @throws {Error} `Failed to load user` for any other response, or none. Its `cause` is the
 *   `Response`, or the error of the call.
 */
export async function loadPlatformUser(): Promise<unknown> {
  let response: Response | undefined;
  try {
    response = await fetch('/api/user', { credentials: 'include' });
    if (response.status === 401) {
      // Reading the body frees the connection; its content does not matter.
      void response.text().catch(() => '');
      return null;
    }
    if (response.ok) return (await response.json()) as unknown;
  } catch (cause) {
    throw new Error(failure, { cause: response ?? cause });
  }
  throw new Error(failure, { cause: response });
}
