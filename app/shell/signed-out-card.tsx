/** What a signed-out visitor sees, of either kind of accounts. */
import type { ReactNode } from 'react';
import { Card } from '~/ui/card';

export interface SignedOutCardProps {
  /** Which account it is about, beside another kind (W29). */
  which: ReactNode;
  title: string | undefined;
  text: string;
  /** `h1` where it takes a page's place. */
  heading?: 'h1' | 'h2' | undefined;
  /** The way to sign in. */
  children: ReactNode;
}

export function SignedOutCard({
  which,
  title,
  text,
  heading: Heading = 'h2',
  children,
}: SignedOutCardProps) {
  return (
    <Card
      role="region"
      aria-label="Signed out"
      tone="accent"
      className="grid justify-items-start gap-4 p-6 sm:p-8"
    >
      {which}
      <Heading className="font-display text-2xl">{title ?? 'Sign in to continue'}</Heading>
      <p className="text-muted max-w-prose">{text}</p>
      {children}
    </Card>
  );
}
