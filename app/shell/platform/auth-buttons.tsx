/**
 * Buttons that navigate to the platform's sign-in and sign-out (W05, W06). They also work without
 * JavaScript.
 */
import { useLocation } from '@remix-run/react';
import type { SyntheticEvent } from 'react';
import { tellSigningOut } from '@gatehouse/frame/browser';
import { returnPathOf } from '@gatehouse/frame';
import { goToLogin, goToLogout } from '@gatehouse/platform/browser';
import { loginRoute, logoutRoute, type PlatformPart } from '@gatehouse/platform';
import { Button, type ButtonProps } from '~/ui/button';
import { useLoaded } from '../features';

/**
 * Not rendered in the offline demo (W31), which has no platform: a cookie identifies its visitors.
 */
export function SignInButton(props: ButtonProps) {
  const isDemo = useIsDemo();
  const returnPath = returnPathOf(useLocation());
  if (isDemo) return null;
  return (
    <PlatformForm route={loginRoute} returnPath={returnPath} go={goToLogin}>
      <Button {...props} type="submit">
        {props.children ?? 'Sign in'}
      </Button>
    </PlatformForm>
  );
}

/** Not rendered in the offline demo, which has no sign-out. */
export function SignOutButton(props: ButtonProps) {
  if (useIsDemo()) return null;
  return (
    <PlatformForm
      route={logoutRoute}
      returnPath="/"
      go={(returnPath) => {
        tellSigningOut('platform');
        goToLogout(returnPath);
      }}
    >
      <Button {...props} type="submit">
        {props.children ?? 'Sign out'}
      </Button>
    </PlatformForm>
  );
}

function useIsDemo(): boolean {
  return (useLoaded('platform') as PlatformPart | undefined)?.offlineDemo ?? false;
}

interface PlatformFormProps {
  route: string;
  returnPath: string;
  go: (returnPath: string) => void;
  children: React.ReactNode;
}

function PlatformForm({ route, returnPath, go, children }: PlatformFormProps) {
  const assign = (event: SyntheticEvent) => {
    event.preventDefault();
    go(returnPath);
  };
  return (
    <form method="get" action={route} onSubmit={assign} className="contents">
      <input type="hidden" name="return" value={returnPath} />
      {children}
    </form>
  );
}
