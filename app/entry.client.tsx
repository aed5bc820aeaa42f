import { RemixBrowser } from '@remix-run/react';
import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { leaveForPlatformRoute } from '@gatehouse/platform/browser'; // auth: platform
import { keepPageThroughOutages, cacheRouteFiles, keepTypedFields } from '@gatehouse/frame/browser';

keepPageThroughOutages({
  leaveFor: leaveForPlatformRoute, // auth: platform
});

startTransition(() => {
  const restoreTypedFields = keepTypedFields();
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
    {
      onRecoverableError(error) {
        restoreTypedFields();
        reportError(error);
      },
    },
  );
});

cacheRouteFiles();
