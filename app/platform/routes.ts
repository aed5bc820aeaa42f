/** The routes of the platform's accounts and of what its SDK makes. */
import { route, type RouteConfigEntry } from '@remix-run/route-config';

export default [
  route('account', 'routes/account.tsx'),
  route('api/user', 'routes/api.user.ts'),
  // The target of every generation's `output.url`.
  route('api/generations/:id/:file', 'routes/api.generation-output.ts'),
  // The target of every upload's `url`.
  route('api/media/:id/:file', 'routes/api.media-file.ts'),
] satisfies RouteConfigEntry[];
