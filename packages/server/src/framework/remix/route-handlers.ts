/** Wraps the routes' loaders and actions: redirects stay on the site, and known errors become the site's responses. */
import type { ServerBuild } from '@remix-run/node';
import { allowedToLeave } from '../../route.ts';
import type { Site } from '../../site.ts';

type Routes = ServerBuild['routes'];
type Handler = NonNullable<Routes[string]['module']['loader']>;

/**
 * The same routes, whose handlers throw instead of redirecting to another site, except through `externalRedirect`.
 * Checked here because for client navigations Remix puts redirects into the data, where no header shows them.
 *
 * @param answerFor the site's response for an error, where Remix would only answer 500.
 */
export function wrapHandlers(routes: Routes, answerFor: Site['answerFor']): Routes {
  const wrapped =
    (handler: Handler): Handler =>
    async (args) => {
      try {
        const answer = await handler(args);
        if (leavesSite(answer, args.request)) throw wouldLeave();
        return answer;
      } catch (thrown) {
        const error = leavesSite(thrown, args.request) ? wouldLeave() : thrown;
        const answer = answerFor?.(error, args.context) ?? error;
        // Remix would add `x-remix-catch` to a resource's thrown response, which is its response like any other.
        if (answer instanceof Response && args.context.kind === 'resource') return answer;
        throw answer;
      }
    };
  return Object.fromEntries(
    Object.entries(routes).map(([id, route]) => {
      const { loader, action } = route.module;
      const module = {
        ...route.module,
        ...(loader && { loader: wrapped(loader) }),
        ...(action && { action: wrapped(action) }),
      };
      return [id, { ...route, module }];
    }),
  );
}

function leavesSite(answer: unknown, { url }: Request): boolean {
  if (!(answer instanceof Response) || allowedToLeave in answer) return false;
  const location = answer.headers.get('location');
  if (location === null || answer.status < 300 || answer.status > 399) return false;
  return !URL.canParse(location, url) || new URL(location, url).origin !== new URL(url).origin;
}

const wouldLeave = () =>
  new Error('A redirect would leave the site. If it should, use externalRedirect.');
