/** Shown when a page cannot tell who the visitor is, because the platform is not responding. */
import { useLocation } from '@remix-run/react';
import { returnPathOf } from '~/frame/return-path';
import { Button } from '~/ui/button';
import { Card } from '~/ui/card';
import { platformLost } from '../connection/connection-notice';

export function PlatformLost() {
  const here = returnPathOf(useLocation());
  return (
    <Card role="status" tone="danger" className="flex flex-wrap items-center gap-4 p-5">
      <p className="text-danger">{platformLost}</p>
      <Button asChild tone="secondary" size="small">
        <a href={here}>Try again</a>
      </Button>
    </Card>
  );
}
