/** Every URL of the site. */
import { index, route, type RouteConfig } from '@remix-run/route-config';
import accounts from './accounts/routes';
import studio from './studio/routes'; // sample: studio

export default [
  index('routes/home.tsx'),
  route('account', 'routes/account.tsx'),
  ...studio, // sample: studio
  ...accounts,

  route('api/user', 'routes/api.user.ts'),
  // Where `output.url` of every generation leads.
  route('api/generations/:id/:file', 'routes/api.generation-output.ts'),
  route('api/*', 'routes/api.not-found.ts'),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig;
