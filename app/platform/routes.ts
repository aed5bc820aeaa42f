/** The routes of the platform's accounts. */
import { route, type RouteConfigEntry } from '@remix-run/route-config';

export default [
  route('account', 'routes/account.tsx'),
  route('api/user', 'routes/api.user.ts'),
] satisfies RouteConfigEntry[];
