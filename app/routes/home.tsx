/** The home page. */
import { Link } from '@remix-run/react';
import type { RouteHandle } from '~/route-handle';
import { Welcome } from '~/shell/platform/welcome'; // auth: platform
import { site } from '~/site.config';
import { Button } from '~/ui/button';
import { Card } from '~/ui/card';

export const handle = { access: 'none' } satisfies RouteHandle;

const points = [
  // auth: platform
  {
    title: 'The platform’s accounts',
    text: 'Your account on the platform is known here by the platform’s word alone, which is asked for each time. Its password stays there.',
  },
  // /auth
  // auth: accounts
  {
    title: 'Accounts of this site’s own',
    text: 'Some things are kept by this site itself. They belong to an account that you make here, and export or delete at will.',
  },
  // /auth
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
      <Welcome /> {/* auth: platform */}
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

/** Not the library’s: see docs/decisions/0008-speed-of-a-page.md. */
function Arrow() {
  return (
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden>
      <path strokeLinecap="round" strokeLinejoin="round" d="M5 12h14m-7-7 7 7-7 7" />
    </svg>
  );
}
