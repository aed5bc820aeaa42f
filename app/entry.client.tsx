import { RemixBrowser } from '@remix-run/react';
import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { leaveForPlatformRoute } from './platform/auth-navigation'; // auth: platform
import { keepPageThroughOutages } from './shell/connection/connection';
import { cacheRouteFiles } from './shell/connection/route-files';

keepPageThroughOutages({
  leaveFor: leaveForPlatformRoute, // auth: platform
});

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  );
});

cacheRouteFiles();
