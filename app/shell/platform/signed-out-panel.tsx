/** What a signed-out visitor sees beside the disabled controls (W17). */
import { SignInButton } from './auth-buttons';
import { Card } from '~/ui/card';
import { useOtherIdentities } from '../features';

export function SignedOutPanel({ title = 'Sign in to continue' }: { title?: string }) {
  // Beside another kind of account, each is named (W29).
  const isBeside = useOtherIdentities('Platform account').length > 0;
  return (
    <Card
      role="region"
      aria-label="Signed out"
      tone="accent"
      className="grid justify-items-start gap-4 p-6 sm:p-8"
    >
      {isBeside && <p className="text-muted text-sm">Platform account</p>}
      <h2 className="font-display text-2xl">{title}</h2>
      <p className="text-muted max-w-prose">
        Generation, uploads, credits and history belong to your account on the platform. After
        signing in there, you return to this page.
      </p>
      <SignInButton />
    </Card>
  );
}
