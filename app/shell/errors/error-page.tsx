/** The error page: what went wrong and what to do next, in one table by status. */
import { Link } from '@remix-run/react';
import { buttonLook } from '~/ui/button';
import { useFeatures } from '../features';
import { TryAgain } from './try-again';

export interface ErrorWords {
  title: string;
  text: string;
  next: 'sign-in' | 'home' | 'retry';
}

const words: Record<number, ErrorWords> = {
  400: {
    title: 'Invalid request',
    text: 'The request could not be understood. Go back and try again.',
    next: 'home',
  },
  401: {
    title: 'Sign in to see this page',
    text: 'You are signed out, or your session has ended.',
    next: 'sign-in',
  },
  403: {
    title: 'You do not have access to this page',
    text: 'If you think you should have access, contact support.',
    next: 'home',
  },
  404: {
    title: 'Page not found',
    text: 'It may have moved, or the address may be mistyped.',
    next: 'home',
  },
  405: {
    title: 'That is not possible here',
    text: 'This page does not support that kind of request.',
    next: 'home',
  },
  413: {
    title: 'That is too large',
    text: 'This page does not accept that much data at once. Send less.',
    next: 'home',
  },
  429: {
    title: 'Too many requests',
    text: 'Wait a moment, then try again.',
    next: 'retry',
  },
  // Only for errors thrown by a route, which `handleError` logs: so the text is true.
  500: {
    title: 'Something went wrong on our side',
    text: 'The error has been logged. Try again, and if it keeps happening, come back later.',
    next: 'retry',
  },
  503: {
    title: 'This is temporarily unavailable',
    text: 'Your account and your work are safe. Wait a moment and try again.',
    next: 'retry',
  },
};

/** Any other status. */
const other: ErrorWords = {
  title: 'Something went wrong',
  text: 'Try again, and if it keeps happening, come back later.',
  next: 'retry',
};

const failedHere: ErrorWords = {
  title: 'This page crashed',
  text: 'Something failed in your browser. Reload the page, and if it keeps happening, come back later.',
  next: 'retry',
};

export interface ErrorPageProps {
  /** An HTTP status; null when the page failed in the browser. */
  status: number | null;
}

export function ErrorPage({ status }: ErrorPageProps) {
  const features = useFeatures().map(({ feature }) => feature);
  const own = features.find(({ errors }) => errors && status !== null && status in errors);
  const { title, text, next } =
    status === null ? failedHere : (own?.errors?.[status] ?? words[status] ?? other);
  return (
    <section className="grid justify-items-start gap-5 py-6 sm:py-14">
      {status !== null && (
        <p className="text-muted text-sm font-semibold tracking-widest">{status}</p>
      )}
      <h1 className="font-display text-4xl sm:text-5xl">{title}</h1>
      <p className="text-muted max-w-prose text-lg">{text}</p>
      <div className="mt-2 flex flex-wrap gap-3">
        {next === 'sign-in' &&
          features.map(({ SignIn, order }) => SignIn && <SignIn key={order} />)}
        {next === 'retry' && <TryAgain />}
        <Link
          className={buttonLook({ tone: next === 'home' ? 'primary' : 'secondary' })}
          to="/"
          reloadDocument
        >
          Go to the home page
        </Link>
      </div>
    </section>
  );
}

/** The error's stack, in development only. Production builds omit it. */
export function ThrownError({ error }: { error: unknown }) {
  if (!(error instanceof Error)) return null;
  return (
    <pre
      data-development
      className="border-line bg-surface rounded-xl border p-4 text-sm wrap-anywhere whitespace-pre-wrap"
    >
      {error.stack ?? String(error)}
    </pre>
  );
}
