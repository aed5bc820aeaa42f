/** The home page. */
import {
  Link,
  useRouteLoaderData, // auth: accounts
} from '@remix-run/react';
import { AccountWelcome } from '~/accounts/account-welcome'; // auth: accounts
import type { loader as rootLoader } from '~/root'; // auth: accounts
import type { RouteHandle } from '~/route-handle';
import { Welcome } from '~/shell/platform/welcome'; // auth: platform
import {
  hasAccounts, // auth: accounts
  hasPlatform, // auth: platform
  site,
} from '~/site.config';
import { buttonLook } from '~/ui/button';
import { Card } from '~/ui/card';

export const handle = { access: 'none' } satisfies RouteHandle;

const points = [
  // auth: platform
  {
    title: 'Your platform account',
    text: 'You sign in on the platform. This site never sees your password.',
  },
  // /auth
  // auth: accounts
  {
    title: 'Your site account',
    text: 'What you store here is kept in an account on this site. You can export or delete its data at any time.',
  },
  // /auth
  {
    title: 'Checked on the server',
    text: 'Each request for your data is checked on the server before anything happens.',
  },
  {
    title: 'Built to be embedded',
    text: 'The site also runs inside another site’s page, where cookies and downloads need extra care.',
  },
];

// A string, because a menu of this page alone leaves nothing to compare literals with.
const here: string = '/';
/** The first other page in the menu, linked from this one. */
const first = site.menu.find(({ to }) => to !== here);

export default function Home() {
  const account = useRouteLoaderData<typeof rootLoader>('root')?.account; // auth: accounts
  return (
    <div className="grid gap-12">
      <section className="grid max-w-2xl justify-items-start gap-5">
        <h1 className="font-display text-5xl leading-tight text-balance sm:text-6xl">
          {site.headline}
        </h1>
        <p className="text-muted text-lg">{site.description}</p>
        {first && (
          <Link className={buttonLook()} to={first.to} prefetch="none">
            Open {first.label} <Arrow />
          </Link>
        )}
      </section>
      {hasPlatform && <Welcome />} {/* auth: platform */}
      {hasAccounts && account && <AccountWelcome account={account} />} {/* auth: accounts */}
      <section
        aria-label="How it works"
        className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,13rem),1fr))] gap-4"
      >
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

/**
 * Inlined to keep the icon library out of this page.
 */
function Arrow() {
  return (
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden>
      <path strokeLinecap="round" strokeLinejoin="round" d="M5 12h14m-7-7 7 7-7 7" />
    </svg>
  );
}
