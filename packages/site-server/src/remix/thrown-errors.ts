/** Maps errors to the site's own responses, where Remix would only answer 500. */
import type { ServerBuild } from '@remix-run/node';
import type { Site } from '../site';

type Routes = ServerBuild['routes'];
type Handler = NonNullable<Routes[string]['module']['loader']>;

/** Wraps loaders and actions to throw the site's response instead of the error. */
export function answerErrors(routes: Routes, answerFor: NonNullable<Site['answerFor']>): Routes {
  const answering =
    (handler: Handler): Handler =>
    async (args) => {
      try {
        return await handler(args);
      } catch (thrown) {
        throw answerFor(thrown, args.context) ?? thrown;
      }
    };
  return Object.fromEntries(
    Object.entries(routes).map(([id, route]) => {
      const { loader, action } = route.module;
      const module = {
        ...route.module,
        ...(loader && { loader: answering(loader) }),
        ...(action && { action: answering(action) }),
      };
      return [id, { ...route, module }];
    }),
  );
}
