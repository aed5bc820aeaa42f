/** Loads the page again. A plain link, so that it works without scripts. */
import { useLocation } from '@remix-run/react';
import { returnPathOf } from '~/frame/return-path';
import { Button, type ButtonProps } from '~/ui/button';

export function TryAgain(look: Pick<ButtonProps, 'tone' | 'size'>) {
  return (
    <Button asChild {...look}>
      <a href={returnPathOf(useLocation())}>Try again</a>
    </Button>
  );
}
