import { RemixBrowser } from '@remix-run/react';
import { startTransition, StrictMode, useLayoutEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { leaveForPlatformRoute } from '@gatehouse/platform/browser'; // auth: platform
import { keepPageThroughOutages, cacheRouteFiles, keepTypedFields } from '@gatehouse/frame/browser';
import { remix } from '@gatehouse/frame/remix';

keepPageThroughOutages({
  framework: remix,
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

cacheRouteFiles(remix);
