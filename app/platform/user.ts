/** The browser's user loader (W14). `/api/user` is the only profile address a browser knows. */

const failure = 'Failed to load user';

/**
 * @param onProfile gets the answer that brings a profile, for its headers.
 * @returns the platform's profile, or null when the visitor is signed out.
 * @throws {Error} `Failed to load user` for any other answer, or none. Its `cause` is the `Response`, or
 *   what became of the call.
 */
export async function loadPlatformUser(onProfile?: (answer: Response) => void): Promise<unknown> {
  let response: Response | undefined;
  try {
    response = await fetch('/api/user', { credentials: 'include' });
    if (response.status === 401) {
      // Read to its end, so that the browser is done with it; nobody waits for what it says.
      void response.text().catch(() => '');
      return null;
    }
    if (response.ok) {
      onProfile?.(response);
      return (await response.json()) as unknown;
    }
  } catch (cause) {
    throw new Error(failure, { cause: response ?? cause });
  }
  throw new Error(failure, { cause: response });
}
