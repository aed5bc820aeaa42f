/** The page around a single form. */
import { Link, type LinkProps } from '@remix-run/react';
import type { ReactNode } from 'react';
import { Card } from '~/ui/card';
import { WhichAccount } from '../which-account';
import { useLostFocus } from '~/ui/use-lost-focus';

export interface AccountPageProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  /** Links below the form, or paragraphs with one. */
  more?: ReactNode;
}

export function AccountPage({ title, lead, children, more }: AccountPageProps) {
  // A page that says what the form has done replaces the form.
  const heading = useLostFocus<HTMLHeadingElement>();
  return (
    <div className="mx-auto grid w-full max-w-md gap-6">
      <div className="grid gap-2">
        <WhichAccount />
        <h1
          ref={heading}
          tabIndex={-1}
          className="font-display text-3xl wrap-anywhere outline-none sm:text-4xl"
        >
          {title}
        </h1>
        {lead && <p className="text-muted">{lead}</p>}
      </div>
      <Card className="p-5 sm:p-6">{children}</Card>
      {more && <div className="text-muted grid justify-items-start gap-2 text-sm">{more}</div>}
    </div>
  );
}

/** A link in a sentence. */
export function TextLink(props: Pick<LinkProps, 'to' | 'children'>) {
  return <Link {...props} className="text-ink font-medium underline underline-offset-4" />;
}
