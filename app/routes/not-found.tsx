/** Every unknown address: the 404 page within the site's layout. */
import type { RouteHandle } from '~/route-handle';

export const handle = { access: 'none' } satisfies RouteHandle;

export function loader(): never {
  throw new Response(null, { status: 404 });
}

export const action = loader;

export default function NotFound() {
  return null;
}
