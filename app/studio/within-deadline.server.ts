/** Optional parts of a page, such as workspaces and prices. */
import { PlatformSdkError } from '~/platform/sdk/port.server';

/** Milliseconds that a page waits for them. */
const deadline = 1_500;

/** Null if the part fails or is late, since the page works without it. */
export async function withinDeadline<T>(part: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, deadline, null);
  });
  const taken = part.catch((error: unknown) => {
    if (error instanceof PlatformSdkError) return null;
    throw error;
  });
  return Promise.race([taken, late]).finally(() => {
    clearTimeout(timer);
  });
}
