/** Every URL of the site. */
import { index, route, type RouteConfig } from '@remix-run/route-config';
import accounts from './accounts/routes'; // auth: accounts
import notes from './notes/routes'; // sample: notes
import {
  hasAccounts, // auth: accounts
  hasPlatform, // auth: platform
} from './site.config';
import studio from './studio/routes'; // sample: studio

export default [
  index('routes/home.tsx'),
  // auth: platform
  ...(hasPlatform
    ? [
        route('account', 'routes/account.tsx'),
        ...studio, // sample: studio
        route('api/user', 'routes/api.user.ts'),
        // The target of every generation's `output.url`.
        route('api/generations/:id/:file', 'routes/api.generation-output.ts'),
        // The target of every upload's `url`.
        route('api/media/:id/:file', 'routes/api.media-file.ts'),
      ]
    : []),
  // /auth
  ...(hasAccounts ? accounts : []), // auth: accounts
  ...(hasAccounts ? notes : []), // sample: notes

  route('api/*', 'routes/api.not-found.ts'),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig;
