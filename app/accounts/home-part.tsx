/** The home page's part about the site account: sign-up and sign-in, or who is signed in. */
import { Link } from '@remix-run/react';
import { useLoaded, useOtherIdentities, type HomePart } from '~/shell/features';
import { buttonLook } from '~/ui/button';
import { Card } from '~/ui/card';
import { Skeleton } from '~/ui/skeleton';
import type { AccountState } from '@gatehouse/accounts';
import { SignInLink } from './sign-in-link';
import { accountName, WhichAccount } from './which-account';

export default {
  order: 2,
  point: {
    title: 'Your site account',
    text: 'What you store here is kept in an account on this site. You can export or delete its data at any time.',
  },
  Welcome: AccountWelcome,
} satisfies HomePart;

function AccountWelcome() {
  const account = useLoaded('accounts') as AccountState | undefined;
  const [other] = useOtherIdentities(accountName);
  // The header already says that accounts are unavailable.
  if (!account || account.status === 'unavailable') return null;
  if (account.status === 'checking') return <Skeleton className="h-52" />;
  return (
    <Card className="grid justify-items-start gap-4 p-6 sm:p-8">
      <WhichAccount />
      {account.status === 'signed-in' ? (
        <p className="font-display text-xl wrap-anywhere">
          Signed in as <bdi>{account.name}</bdi>.
        </p>
      ) : (
        <>
          <h2 className="font-display text-2xl">Sign up, or sign in</h2>
          <p className="text-muted max-w-prose">
            What you add to this site is kept in your account.
            {other && ` It is separate from your ${other.toLowerCase()}.`}
          </p>
          <div className="flex flex-wrap gap-3">
            <Link className={buttonLook()} to="/sign-up">
              Sign up
            </Link>
            <SignInLink tone="secondary" />
          </div>
        </>
      )}
    </Card>
  );
}
