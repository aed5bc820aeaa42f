/** Shown when a page cannot tell who the visitor is, because the platform is not responding. */
import { Card } from '~/ui/card';
import { TryAgain } from '../errors/try-again';

export const platformLost = 'The platform is not responding. Wait a moment and try again.';

export function PlatformLost() {
  return (
    <Card role="status" tone="danger" className="flex flex-wrap items-center gap-4 p-5">
      <p className="text-danger">{platformLost}</p>
      <TryAgain tone="secondary" size="small" />
    </Card>
  );
}
