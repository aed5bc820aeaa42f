/** The routes of site accounts, for `app/routes.ts`. */
import { route, type RouteConfigEntry } from '@remix-run/route-config';

export default [
  route('sign-in', 'accounts/routes/sign-in.tsx'),
  route('sign-up', 'accounts/routes/sign-up.tsx'),
  route('sign-out', 'accounts/routes/sign-out.tsx'),
  route('reset-password', 'accounts/routes/reset-password.tsx'),
  route('verify-email', 'accounts/routes/verify-email.tsx'),
  route('settings', 'accounts/routes/settings.tsx'),
  route('api/account-export', 'accounts/routes/api.account-export.ts'),
] satisfies RouteConfigEntry[];
