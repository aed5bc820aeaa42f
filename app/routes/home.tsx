/** The home page. */
import { Link } from '@remix-run/react';
import type { RouteHandle } from '~/route-handle';
import { site } from '~/site.config';
import { Button } from '~/ui/button';
import { Card } from '~/ui/card';
import { PlatformLost } from '~/shell/platform/platform-lost';
import { SignedOutPanel } from '~/shell/platform/signed-out-panel';
import { Skeleton } from '~/ui/skeleton';
import { useUser } from '~/shell/platform/user-state';

export const handle = { access: 'none' } satisfies RouteHandle;

const points = [
  {
    title: 'Sign-in is the platform’s',
    text: 'This site keeps no password and no session. It asks the platform who you are, each time.',
  },
  {
    title: 'Checked on the server',
    text: 'Everything you make, see or save passes a check on the server before anything happens.',
  },
  {
    title: 'Made for a frame',
    text: 'It runs inside the platform’s page, where cookies and downloads need more care.',
  },
];

/** The page that the home page leads to. */
const first = site.menu.find(({ to }) => to !== '/');

export default function Home() {
  return (
    <div className="grid gap-12">
      <section className="grid max-w-2xl justify-items-start gap-5">
        <h1 className="font-display text-5xl leading-tight text-balance sm:text-6xl">
          {site.headline}
        </h1>
        <p className="text-muted text-lg">{site.description}</p>
        {first && (
          <Button asChild>
            <Link to={first.to} prefetch="none">
              Open {first.label} <Arrow />
            </Link>
          </Button>
        )}
      </section>

      <Visitor />

      <section aria-label="How it works" className="grid gap-4 sm:grid-cols-3">
        {points.map(({ title, text }) => (
          <Card key={title} className="grid content-start gap-2 p-5">
            <h2 className="font-semibold">{title}</h2>
            <p className="text-muted text-sm leading-relaxed">{text}</p>
          </Card>
        ))}
      </section>
    </div>
  );
}

function Visitor() {
  const { view } = useUser();
  switch (view.status) {
    case 'signed-out':
      return <SignedOutPanel />;
    case 'changing':
    case 'checking':
      return (
        // As high as the greeting, so that nothing below it moves.
        <Card className="flex flex-wrap items-center justify-between gap-4 p-6 noscript:hidden">
          <Skeleton className="h-7 w-48" />
          <Skeleton className="h-5 w-20" />
        </Card>
      );
    case 'signed-in':
      return (
        <Card className="flex flex-wrap items-center justify-between gap-4 p-6">
          <p className="font-display text-xl wrap-anywhere">
            {['Good to see you', view.profile.displayName].filter(Boolean).join(', ')}.
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

/** Not the library’s: see docs/decisions/0008-speed-of-a-page.md. */
function Arrow() {
  return (
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden>
      <path strokeLinecap="round" strokeLinejoin="round" d="M5 12h14m-7-7 7 7-7 7" />
    </svg>
  );
}
