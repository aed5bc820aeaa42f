/** Buttons that leave for the platform's own pages (W05, W06). They work without JavaScript too. */
import { useLocation, useRouteLoaderData } from '@remix-run/react';
import type { FormEvent } from 'react';
import { returnPathOf } from '~/frame/return-path';
import { goToLogin, goToLogout, loginRoute, logoutRoute } from '~/platform/auth-navigation';
import { Button, type ButtonProps } from '~/ui/button';

export function SignInButton(props: ButtonProps) {
  return (
    <PlatformForm route={loginRoute} returnPath={returnPathOf(useLocation())} go={goToLogin}>
      <Button {...props} type="submit">
        {props.children ?? 'Sign in'}
      </Button>
    </PlatformForm>
  );
}

/** The offline demo (W31) has nobody to sign out, and no platform to leave for. */
export function SignOutButton(props: ButtonProps) {
  const root = useRouteLoaderData<{ offlineDemo?: boolean }>('root');
  if (root?.offlineDemo) return null;
  return (
    <PlatformForm route={logoutRoute} returnPath="/" go={goToLogout}>
      <Button {...props} type="submit">
        {props.children ?? 'Sign out'}
      </Button>
    </PlatformForm>
  );
}

interface PlatformFormProps {
  route: string;
  returnPath: string;
  go: (returnPath: string) => void;
  children: React.ReactNode;
}

function PlatformForm({ route, returnPath, go, children }: PlatformFormProps) {
  const assign = (event: FormEvent) => {
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
