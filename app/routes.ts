/** Every URL of the site. */
import { index, route, type RouteConfig } from '@remix-run/route-config';
import * as features from './features.routes';

export default [
  index('routes/home.tsx'),
  ...Object.values(features).flat(),

  route('api/*', 'routes/api.not-found.ts'),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig;
