// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Workspace, WorkspaceList } from '~/platform/workspaces/workspaces';
import { openPage } from '@gatehouse/platform/remix/testing';
import { toast } from '~/ui/toast';
import { AccountTools } from './account-tools';

const own: Workspace = { id: 'w1', name: 'Own', role: 'owner', canGenerate: true, credits: 5 };
const gallery: Workspace = { ...own, id: 'w2', name: 'Gallery', canGenerate: false };

const open = async (workspaces: WorkspaceList | null) => {
  const page = openPage(() => <AccountTools data={{ workspaces }} />);
  await screen.findByRole('link', { name: /credits/ });
  return page;
};

test('a single workspace is offered when the chosen one is gone, and can be chosen', async () => {
  const page = await open({ items: [own], chosen: 'w2' });
  page.fetch.mockResolvedValue(Response.json(null));
  const switcher = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Workspace' });
  expect(switcher.selectedOptions[0]?.textContent).toBe('Choose a workspace');
  await userEvent.selectOptions(switcher, 'Own');
  await waitFor(() => {
    expect(page.fetch.mock.calls.map(([, init]) => init?.body)).toEqual(['{"id":"w1"}']);
  });
});

test.each([
  [{ items: [own], chosen: 'w1' }, 0],
  [{ items: [], chosen: 'w1' }, 0],
  [null, 0],
  [{ items: [own, gallery], chosen: 'w1' }, 1],
])('the switcher is shown only when there is something to choose (%#)', async (list, count) => {
  await open(list);
  expect(screen.queryAllByRole('combobox')).toHaveLength(count);
});

test('leaving the page during a switch shows no error', async () => {
  const toasted = vi.spyOn(toast, 'error').mockReturnValue(1);
  const page = await open({ items: [own, gallery], chosen: 'w1' });
  page.fetch.mockImplementation(
    (_, { signal } = {}) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          reject(signal.reason as Error);
        });
      }),
  );
  await userEvent.selectOptions(screen.getByRole('combobox'), 'Gallery (view only)');
  cleanup();
  // By the next turn of the event loop, everything that awaits the request has run.
  await new Promise(setImmediate);
  expect(toasted).not.toHaveBeenCalled();
});
