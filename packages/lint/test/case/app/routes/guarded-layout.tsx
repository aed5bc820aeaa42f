/** A layout that asks who its visitor is. */
import { checkPlatformUser } from '../platform.server';

export async function loader({ context }: { context: object }) {
  const guard = await checkPlatformUser(context);
  return { isIn: guard.ok };
}

export default () => null;
