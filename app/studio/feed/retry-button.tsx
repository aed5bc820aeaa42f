/** Orders again what failed or was canceled. */
import { useFetcher } from '@remix-run/react';
import { RotateCcw } from 'lucide-react';
import { useEffect } from 'react';
import type { Generation } from '~/platform/sdk/generations/generations';
import { Button, type ButtonProps } from '~/ui/button';
import { toast } from '~/ui/toast';
import { messageOf } from '../messages';
import type { OrderAnswer } from '../order-answer';

export interface RetryButtonProps extends ButtonProps {
  generation: Generation;
  account: string;
  workspace: string;
}

export function RetryButton({ generation, account, workspace, ...props }: RetryButtonProps) {
  // The page's own action: it refuses what somebody else's page sends.
  const { submit, state, data } = useFetcher<OrderAnswer>();
  useEffect(() => {
    if (data?.ok) toast.success('On its way again.');
    else if (data) toast.error(data.code ? messageOf(data.code) : 'This can not be made again.');
  }, [data]);
  const retry = () => {
    const { prompt, kind, aspectRatio, references } = generation;
    const order = new FormData();
    const fields = { account, workspace, key: crypto.randomUUID(), prompt, kind, aspectRatio };
    for (const [name, value] of Object.entries(fields)) order.set(name, value);
    for (const id of references) order.append('reference', id);
    submit(order, { method: 'post', action: '/studio' });
  };
  return (
    <Button
      tone="secondary"
      size="small"
      {...props}
      disabled={props.disabled === true || state !== 'idle'}
      onClick={retry}
    >
      <RotateCcw aria-hidden />
      {state === 'idle' ? 'Try again' : 'Sending…'}
    </Button>
  );
}
