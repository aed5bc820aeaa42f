/** A page for tests as the root wraps it: with its `handle`, and what the shell shows in its place. */
import { useRouteLoaderData } from '@remix-run/react';
import type { ComponentType, ReactNode } from 'react';
import type { PlatformPart } from '@gatehouse/platform';
import { openPage, type PageOptions, type PageDouble } from '@gatehouse/platform/remix/testing';
import type { RouteHandle } from '~/route-handle';
import { FeaturesProvider, GuardedPage } from '~/shell/features';
import platform from '~/shell/platform/feature';

interface PageModule {
  default: ComponentType;
  handle?: RouteHandle;
}

export function openInShell(
  { default: Page, handle }: PageModule,
  options: PageOptions = {},
): PageDouble {
  const InShell = () => (
    <Features>
      <GuardedPage>
        <Page />
      </GuardedPage>
    </Features>
  );
  return openPage(InShell, { handle, ...options });
}

/** `openPage` has the provider already. */
const features = {
  platform: { ...platform, Provider: ({ children }: { children: ReactNode }) => <>{children}</> },
};

function Features({ children }: { children: ReactNode }) {
  const loaded = useRouteLoaderData('root') as PlatformPart;
  return (
    <FeaturesProvider features={features} loaded={{ platform: loaded }}>
      {children}
    </FeaturesProvider>
  );
}
