/** What went wrong, and what to do next. One table from status to words. */
import { Link, useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { returnPathOf } from '~/frame/return-path';
import { Button } from '~/ui/button';

interface Words {
  title: string;
  text: string;
  next: 'sign-in' | 'home' | 'retry';
}

const lost: Words = {
  title: 'The platform does not answer',
  text: 'Your account and your work are safe. Wait a moment, then try again.',
  next: 'retry',
};

const words: Record<number, Words> = {
  400: {
    title: 'That request cannot be read',
    text: 'Something in it is malformed. Go back and try once more.',
    next: 'home',
  },
  401: {
    title: 'Sign in to see this page',
    text: 'You are signed out, or your session has ended.',
    next: 'sign-in',
  },
  403: {
    title: 'This page is not open to you',
    text: 'Your account may not see it. If you think it should, ask the people who run the platform.',
    next: 'home',
  },
  404: {
    title: 'There is no such page',
    text: 'It may have moved, or the address has a slip in it.',
    next: 'home',
  },
  405: {
    title: 'That cannot be done here',
    text: 'This page does not take such a request.',
    next: 'home',
  },
  413: {
    title: 'That was too large',
    text: 'This page does not take so much at once. Send less.',
    next: 'home',
  },
  429: {
    title: 'That was a lot at once',
    text: 'Wait a moment, then try again.',
    next: 'retry',
  },
  // Only where a route threw, which `handleError` has logged: the note is true.
  500: {
    title: 'Something broke on our side',
    text: 'We have made a note of it. Try again, and if it stays broken, come back later.',
    next: 'retry',
  },
  502: lost,
  503: {
    title: 'This is not available right now',
    text: 'Your account and your work are safe. Wait a moment, then try again.',
    next: 'retry',
  },
  504: lost,
};

/** For a status that the table does not have. */
const other: Words = {
  title: 'That did not work',
  text: 'Try again, and if it stays like this, come back later.',
  next: 'retry',
};

const failedHere: Words = {
  title: 'This page broke',
  text: 'Something in it failed in your browser. Load it again, and if it stays broken, come back later.',
  next: 'retry',
};

export interface ErrorPageProps {
  /** An HTTP status; null when the page failed in the browser. */
  status: number | null;
  /** The way to sign in, for who may not see the page without. */
  signIn?: ReactNode;
}

export function ErrorPage({ status, signIn }: ErrorPageProps) {
  const here = returnPathOf(useLocation());
  const { title, text, next } = status === null ? failedHere : (words[status] ?? other);
  return (
    <section className="grid justify-items-start gap-5 py-6 sm:py-14">
      {status !== null && (
        <p className="text-muted text-sm font-semibold tracking-widest">{status}</p>
      )}
      <h1 className="font-display text-4xl sm:text-5xl">{title}</h1>
      <p className="text-muted max-w-prose text-lg">{text}</p>
      <div className="mt-2 flex flex-wrap gap-3">
        {next === 'sign-in' && signIn}
        {next === 'retry' && (
          <Button asChild>
            <a href={here}>Try again</a>
          </Button>
        )}
        <Button asChild tone={next === 'home' ? 'primary' : 'secondary'}>
          <Link to="/" reloadDocument>
            Go to the home page
          </Link>
        </Button>
      </div>
    </section>
  );
}
