import { RemixBrowser } from '@remix-run/react';
import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { keepPageThroughOutages } from './shell/connection/connection';
import { cacheRouteFiles } from './shell/connection/route-files';

keepPageThroughOutages();

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  );
});

cacheRouteFiles();
