/** Every URL of the site. */
import { index, route, type RouteConfig } from '@remix-run/route-config';
import studio from './studio/routes'; // sample: studio

export default [
  index('routes/home.tsx'),
  route('account', 'routes/account.tsx'),
  ...studio, // sample: studio

  route('api/user', 'routes/api.user.ts'),
  route('api/*', 'routes/api.not-found.ts'),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig;
