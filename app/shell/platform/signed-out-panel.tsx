/** What a signed-out visitor sees beside the disabled controls (W17). */
import { SignInButton } from './auth-buttons';
import { useOtherIdentities } from '../features';
import { SignedOutCard } from '../signed-out-card';

export function SignedOutPanel({ title }: { title?: string }) {
  const isBeside = useOtherIdentities('Platform account').length > 0;
  return (
    <SignedOutCard
      which={isBeside && <p className="text-muted text-sm">Platform account</p>}
      title={title}
      text="Generation, uploads, credits and history belong to your account on the platform. After signing in there, you return to this page."
    >
      <SignInButton />
    </SignedOutCard>
  );
}
