import { RemixBrowser } from '@remix-run/react';
import { startTransition, StrictMode, useLayoutEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { leaveForPlatformRoute } from './platform/auth-navigation'; // auth: platform
import { keepPageThroughOutages } from './shell/connection/connection';
import { cacheRouteFiles } from './shell/connection/route-files';
import { keepTypedFields } from './shell/typed-fields';

keepPageThroughOutages({
  leaveFor: leaveForPlatformRoute, // auth: platform
});

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedPage whenHydrated={keepTypedFields()} />
    </StrictMode>,
  );
});

/** @param props.whenHydrated called also when React could not hydrate the document, and rendered it anew. */
function HydratedPage({ whenHydrated }: { whenHydrated: () => void }) {
  useLayoutEffect(whenHydrated, [whenHydrated]);
  return <RemixBrowser />;
}

cacheRouteFiles();
