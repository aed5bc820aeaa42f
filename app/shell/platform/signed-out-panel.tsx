/** What a signed-out visitor sees beside the disabled controls (W17). */
import { SignInButton } from './auth-buttons';
import { useOtherIdentities } from '../features';
import { SignedOutCard, type SignedOutCardProps } from '../signed-out-card';

interface SignedOutPanelProps extends Pick<SignedOutCardProps, 'heading'> {
  title?: string;
}

export function SignedOutPanel({ title, heading }: SignedOutPanelProps) {
  const isBeside = useOtherIdentities('Platform account').length > 0;
  return (
    <SignedOutCard
      which={isBeside && <p className="text-muted text-sm">Platform account</p>}
      title={title}
      heading={heading}
      text="Generation, uploads, credits and history belong to your account on the platform. After signing in there, you return to this page."
    >
      <SignInButton />
    </SignedOutCard>
  );
}
