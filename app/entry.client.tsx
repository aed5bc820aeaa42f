import { RemixBrowser } from '@remix-run/react';
import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { leaveForPlatformRoute } from './platform/auth-navigation'; // auth: platform
import { keepPageThroughOutages } from './shell/connection/connection';
import { cacheRouteFiles } from './shell/connection/route-files';
import { keepTypedFields } from './shell/typed-fields';

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
