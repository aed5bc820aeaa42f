/** Loads the page again. A plain link, so that it works without scripts. */
import { useLocation } from '@remix-run/react';
import { returnPathOf } from '@gatehouse/frame';
import { buttonLook, type ButtonProps } from '~/ui/button';

export function TryAgain(look: Pick<ButtonProps, 'tone' | 'size'>) {
  return (
    <a className={buttonLook(look)} href={returnPathOf(useLocation())}>
      Try again
    </a>
  );
}
