/** What the platform's accounts add to every page. */
import { useMatches } from '@remix-run/react';
import { leaveForPlatformRoute } from '@gatehouse/platform/browser';
import { UserProvider } from '@gatehouse/platform/react';
import type { PlatformPart } from '@gatehouse/platform';
import type { HandleWithTools } from '~/route-handle';
import type { Feature } from '../features';
import { SignInButton } from './auth-buttons';
import { platformLost } from './platform-lost';
import { PlatformPage } from './platform-page';
import { PlatformVisitor } from './platform-visitor';

const lost = {
  title: 'The platform is not responding',
  text: 'Your account and your work are safe. Wait a moment and try again.',
  next: 'retry',
} as const;

export default {
  order: 1,
  identity: {
    name: 'Platform account',
    Menu: ({ label }) => <PlatformVisitor label={label} />,
    Tools: PageTools,
  },
  Provider: ({ loaded, children }) => (
    <UserProvider loaded={loaded?.user ?? { status: 'unavailable' }}>{children}</UserProvider>
  ),
  Page: PlatformPage,
  Notice: ({ loaded }) => loaded?.offlineDemo && <DemoNotice />,
  SignIn: SignInButton,
  errors: { 502: lost, 504: lost },
  outages: { 502: platformLost, 504: platformLost },
  leaveFor: leaveForPlatformRoute,
  front: 'platform',
} satisfies Feature<PlatformPart>;

function PageTools() {
  const page = useMatches().at(-1);
  const { tools: Tools } = (page?.handle ?? {}) as HandleWithTools;
  if (!Tools) return null;
  return (
    // On a phone, the tools start a row.
    <div className="col-span-full min-w-0 empty:hidden max-md:grow max-md:basis-2/3">
      <Tools data={page?.data} />
    </div>
  );
}

/** W31: tells the visitor that no platform is behind this site. */
function DemoNotice() {
  return (
    <p className="bg-accent-soft px-4 py-2 text-center text-sm">
      Offline demo: what you create is visible only in this browser, and deleted when the server
      stops. Cookies are required.
    </p>
  );
}
