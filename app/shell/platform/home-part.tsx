/** The home page's greeting for the platform's visitor, or the sign-in panel. */
import { Card } from '~/ui/card';
import { Skeleton } from '~/ui/skeleton';
import type { HomePart } from '../features';
import { PlatformLost } from './platform-lost';
import { SignedOutPanel } from './signed-out-panel';
import { useUser } from '@gatehouse/platform/react';

export default {
  order: 1,
  point: {
    title: 'Your platform account',
    text: 'You sign in on the platform. This site never sees your password.',
  },
  Welcome,
} satisfies HomePart;

function Welcome() {
  const { view } = useUser();
  switch (view.status) {
    case 'signed-out':
      return <SignedOutPanel />;
    case 'changing':
    case 'checking':
      return (
        // As tall as the greeting, to prevent a layout shift.
        <Card className="flex flex-wrap items-center justify-between gap-4 p-6 noscript:hidden">
          <Skeleton className="h-7 w-48" />
          <Skeleton className="h-5 w-20" />
        </Card>
      );
    case 'signed-in':
      return (
        <Card className="flex flex-wrap items-center justify-between gap-4 p-6">
          <p className="font-display text-xl wrap-anywhere">
            {['Welcome back', view.profile.displayName].filter(Boolean).join(', ')}.
          </p>
          {view.profile.credits !== null && (
            <p className="text-muted text-sm">Credits: {view.profile.credits}</p>
          )}
        </Card>
      );
    case 'unavailable':
      return <PlatformLost />;
  }
}
