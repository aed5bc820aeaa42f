// auth: platform
// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { openPage } from '~/testing/page-double';
import { DownloadButton } from './download-button';
import { toast } from '~/ui/toast';

const button = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Download/ });
const shown = vi.spyOn(toast, 'error');
const saved: string[] = [];

beforeEach(() => {
  saved.length = 0;
  shown.mockReset();
  vi.spyOn(toast, 'error').mockImplementation(shown);
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download);
  });
});

const open = () =>
  openPage(() => <DownloadButton url="/api/generations/g1/output.png" filename="g1.png" />);

test('downloads with credentials, and says so while it does [W21] [W26]', async () => {
  const world = open();
  let answer: (response: Response) => void = () => undefined;
  world.fetch.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  expect([button().type, button().disabled, button().textContent]).toEqual([
    'button',
    false,
    'Download',
  ]);

  await userEvent.click(button());
  expect([button().disabled, button().textContent]).toEqual([true, 'Downloading…']);
  await userEvent.click(button());
  expect(world.fetch.mock.calls).toEqual([
    [`${window.location.origin}/api/generations/g1/output.png`, { credentials: 'include' }],
  ]);

  act(() => {
    answer(new Response('bytes'));
  });
  await waitFor(() => {
    expect([button().disabled, button().textContent]).toEqual([false, 'Download']);
  });
  expect(saved).toEqual(['g1.png']);
  expect(shown).not.toHaveBeenCalled();
});

test('a failed download says why in a toast, and the button works again [W25] [W26]', async () => {
  const world = open();
  await waitFor(() => {
    expect(world.asked.user).toBe(1);
  });
  world.fetch.mockResolvedValue(new Response('canary', { status: 401 }));
  await userEvent.click(button());
  await waitFor(() => {
    expect(shown.mock.calls).toEqual([['Download failed (401)']]);
  });
  expect([button().disabled, button().textContent]).toEqual([false, 'Download']);
  expect(saved).toEqual([]);
  // The session may have ended: the page looks at once.
  expect(world.asked.user).toBe(2);
});

test('a network failure is told in our words [W26] [W33]', async () => {
  open().fetch.mockRejectedValue(new TypeError('canary: net::ERR_FAILED'));
  await userEvent.click(button());
  await waitFor(() => {
    expect(shown.mock.calls).toEqual([['Download failed. Check your connection and try again.']]);
  });
});

test('an address off the site is refused in the contract’s words [W24] [W26]', async () => {
  const world = openPage(() => <DownloadButton url="https://evil.test/api/x" filename="x" />);
  await userEvent.click(button());
  await waitFor(() => {
    expect(shown.mock.calls).toEqual([
      ['Authenticated downloads require an app-local /api/... URL'],
    ]);
  });
  expect(world.fetch).not.toHaveBeenCalled();
});
