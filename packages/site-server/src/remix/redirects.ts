/** Keeps redirects on the site, whatever a route redirects to. */
import type { ServerBuild } from '@remix-run/node';
import { allowedToLeave } from '../route';

type Routes = ServerBuild['routes'];
type Data = (args: { request: Request }) => unknown;

/**
 * Wraps the loaders and actions to throw instead of redirecting to another site, except through
 * `externalRedirect`. Checked here because for client navigations Remix puts redirects into the data, where
 * no header shows them.
 */
export function keepRedirectsOnSite(routes: Routes): Routes {
  return Object.fromEntries(
    Object.entries(routes).map(([id, route]) => {
      const { loader, action } = route.module;
      const module = {
        ...route.module,
        ...(loader && { loader: checked(loader as Data) }),
        ...(action && { action: checked(action as Data) }),
      };
      return [id, { ...route, module }];
    }),
  ) as Routes;
}

function checked(data: Data): Data {
  return async (args) => {
    try {
      const answer = await data(args);
      check(answer, args.request);
      return answer;
    } catch (thrown) {
      check(thrown, args.request);
      throw thrown;
    }
  };
}

function check(answer: unknown, { url }: Request): void {
  if (!(answer instanceof Response) || allowedToLeave in answer) return;
  const location = answer.headers.get('location');
  if (location === null || answer.status < 300 || answer.status > 399) return;
  if (URL.canParse(location, url) && new URL(location, url).origin === new URL(url).origin) return;
  throw new Error('A redirect would leave the site. If it should, use externalRedirect.');
}
