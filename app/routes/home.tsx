/** The home page. */
import { Link } from '@remix-run/react';
import * as features from '~/features.home';
import type { RouteHandle } from '~/route-handle';
import { useMenu } from '~/shell/features';
import { site } from '~/site.config';
import { buttonLook } from '~/ui/button';
import { Card } from '~/ui/card';

export const handle = { access: 'none' } satisfies RouteHandle;

const parts = Object.values(features).sort((a, b) => a.order - b.order);

const points = [
  ...parts.map(({ point }) => point),
  {
    title: 'Checked on the server',
    text: 'Each request for your data is checked on the server before anything happens.',
  },
  {
    title: 'Built to be embedded',
    text: 'The site also runs inside another site’s page, where cookies and downloads need extra care.',
  },
];

export default function Home() {
  /** The first other page in the menu, linked from this one. */
  const [first] = useMenu().filter(({ to }) => to !== '/');
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
      {parts.map(({ Welcome, order }) => (
        <Welcome key={order} />
      ))}
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
