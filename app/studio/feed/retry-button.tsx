/** Repeats a failed or canceled order. */
import { useFetcher } from '@remix-run/react';
import { useRefusal } from '@gatehouse/platform/react';
import { RotateCcw } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Generation } from '~/platform/generations/generations';
import { Button, type ButtonProps } from '~/ui/button';
import { toast } from '~/ui/toast';
import { messageFor } from '~/shell/platform/platform-messages';
import type { OrderResult } from '../order-result';

export interface RetryButtonProps extends ButtonProps {
  generation: Generation;
  account: string;
  workspace: string;
}

export function RetryButton({ generation, account, workspace, ...props }: RetryButtonProps) {
  // Uses the page's own action, which rejects a page loaded by a different account.
  const { submit, state, data } = useFetcher<OrderResult>();
  useRefusal(data?.ok ? null : data);
  // Kept until the order is accepted: sent again after a lost answer, it costs once.
  const key = useRef('');
  useEffect(() => {
    if (data?.ok) {
      key.current = '';
      toast.success('Submitted again.');
    } else if (data) {
      toast.error(data.code ? messageFor(data.code) : 'This cannot be submitted again.');
    }
  }, [data]);
  const retry = () => {
    const { prompt, kind, aspectRatio, references } = generation;
    const order = new FormData();
    key.current ||= crypto.randomUUID();
    const fields = { account, workspace, key: key.current, prompt, kind, aspectRatio };
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
