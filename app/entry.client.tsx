import { RemixBrowser } from '@remix-run/react';
import { startTransition, StrictMode, useLayoutEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { keepPageThroughOutages, cacheRouteFiles, keepTypedFields } from '@gatehouse/frame/browser';
import { remix } from '@gatehouse/frame/remix';
import * as features from './features';
import type { Feature } from './shell/features';

keepPageThroughOutages({
  framework: remix,
  leaveFor: (address) =>
    Object.values<Feature<never>>(features).some(({ leaveFor }) => leaveFor?.(address)),
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
