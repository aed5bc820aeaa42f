/** Every URL of the site. */
import { index, route, type RouteConfig } from '@remix-run/route-config';

export default [
  index('routes/home.tsx'),
  route('studio', 'routes/studio.tsx'),
  route('account', 'routes/account.tsx'),

  route('api/user', 'routes/api.user.ts'),
  route('api/generations', 'routes/api.generations.ts'),
  route('api/generations/:id', 'routes/api.generation.ts'),
  route('api/generations/:id/:file', 'routes/api.generation-output.ts'),
  route('api/*', 'routes/api.not-found.ts'),

  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig;
