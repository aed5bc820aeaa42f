/** Errors that the site has an answer for: a status that says what it is, where Remix knows the 500 alone. */
import type { ServerBuild } from '@remix-run/node';
import type { Site } from '../site';

type Routes = ServerBuild['routes'];
type Handler = NonNullable<Routes[string]['module']['loader']>;

/** The same routes, with loaders and actions that throw the site's answer instead of the error. */
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
