import { RemixBrowser } from '@remix-run/react';
import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { keepPageThroughOutages } from './components/connection';
import { cacheRouteFiles } from './components/route-files';

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
