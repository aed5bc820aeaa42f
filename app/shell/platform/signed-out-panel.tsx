/** What a signed-out visitor sees beside the disabled controls (W17). */
import { SignInButton } from './auth-buttons';
import { Card } from '~/ui/card';

export function SignedOutPanel({ title = 'Sign in to go on' }: { title?: string }) {
  return (
    <Card
      role="region"
      aria-label="Signed out"
      tone="accent"
      className="grid justify-items-start gap-4 p-6 sm:p-8"
    >
      <h2 className="font-display text-2xl">{title}</h2>
      <p className="text-muted max-w-prose">
        Generation, uploads, credits and history belong to your account on the platform. Sign in
        there, and you come back to this page.
      </p>
      <SignInButton />
    </Card>
  );
}
