// @vitest-environment happy-dom
import type { ActionFunction } from '@remix-run/node';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Generation } from '~/platform/generations/generations';
import { openPage } from '@gatehouse/platform/remix/testing';
import { toast } from '~/ui/toast';
import type { OrderResult } from '../order-result';
import { RetryButton } from './retry-button';

const failed: Generation = {
  id: 'g1',
  kind: 'picture',
  aspectRatio: '1:1',
  cost: 1,
  failure: 'timed_out',
  references: ['m1'],
  prompt: 'a fox',
  status: 'failed',
  progress: 1,
  createdAt: '2026-11-21T07:00:00Z',
  output: null,
};

const accepted = { ok: true, count: 1, result: { initialValue: null } } satisfies OrderResult;

/** @param results of the action, in turn; null when the answer is lost. */
function open(...results: (OrderResult | null)[]) {
  const sent: FormData[] = [];
  const action: ActionFunction = async ({ request }) => {
    sent.push(await request.formData());
    return results[sent.length - 1] ?? null;
  };
  const page = openPage(() => <RetryButton generation={failed} account="u1" workspace="w1" />, {
    at: '/studio',
    action,
  });
  const retry = async () => {
    const before = sent.length;
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    await waitFor(() => {
      expect(sent).toHaveLength(before + 1);
    });
    await screen.findByRole('button', { name: 'Try again' });
  };
  return { page, sent, retry };
}

test('after a lost answer, a retry repeats the same order, and an accepted one begins another', async () => {
  const toasted = vi.spyOn(toast, 'success').mockReturnValue(1);
  const { sent, retry } = open(null, accepted, accepted);
  await retry();
  await retry();
  await waitFor(() => {
    expect(toasted).toHaveBeenCalledWith('Submitted again.');
  });
  await retry();
  const [first, second, third] = sent.map((form) => form.get('key'));
  expect(first).toMatch(/^[\da-f-]{36}$/);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test('a retry after the session ended checks who is signed in', async () => {
  const toasted = vi.spyOn(toast, 'error').mockReturnValue(1);
  const refusal = { ok: false, code: 'unauthorized', key: 'k', result: {} } satisfies OrderResult;
  const { page, retry } = open(refusal);
  await waitFor(() => {
    expect(page.requested.user).toBe(1);
  });
  await retry();
  await waitFor(() => {
    expect(page.requested.user).toBe(2);
  });
  expect(toasted).toHaveBeenCalledTimes(1);
});
