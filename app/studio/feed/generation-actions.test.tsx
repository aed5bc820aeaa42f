// @vitest-environment happy-dom
/** A visitor's actions on the feed's generations. */
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Generation } from '~/platform/generations/generations';
import { openPage } from '@gatehouse/platform/remix/testing';
import { toast } from '~/ui/toast';
import { running } from '~/testing/studio/studio-page';
import { Feed } from './feed';
import { VisitProvider } from '../visit';

beforeEach(() => {
  vi.spyOn(toast, 'error').mockReturnValue(1);
});

const failed: Generation = { ...running, status: 'failed', failure: 'timed_out' };

function open(items: Generation[], { nextCursor = null as string | null, cursor = '' } = {}) {
  const loader = vi.fn(() => null);
  const page = () => (
    <VisitProvider value={{ usable: true, account: 'u1', workspace: undefined }}>
      <Feed
        feed={{ items, nextCursor }}
        error={null}
        view={{ cursor }}
        sending={[]}
        onReuse={() => undefined}
      />
    </VisitProvider>
  );
  return { page: openPage(page, { loader }), loader };
}

test('a cancellation shows at once that it is under way, and is requested once', async () => {
  let respond: (response: Response) => void = () => undefined;
  const { page } = open([running]);
  page.fetch.mockReturnValue(new Promise((resolve) => (respond = resolve)));
  await userEvent.dblClick(screen.getByRole('button', { name: 'Cancel' }));
  const button = await screen.findByRole('button', { name: 'Canceling…' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(page.fetch).toHaveBeenCalledTimes(1);
  respond(Response.json({ ...running, status: 'canceled' }));
  await screen.findByText('Canceled. Its credits were refunded.');
  expect(toast.error).not.toHaveBeenCalled();
});

test('a cancellation that failed can be requested again', async () => {
  const { page } = open([running]);
  page.fetch.mockRejectedValue(new TypeError('offline'));
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => {
    expect(toast.error).toHaveBeenCalledWith('The connection was lost. Try again.');
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  await waitFor(() => {
    expect(page.fetch).toHaveBeenCalledTimes(2);
  });
});

test('one that was deleted elsewhere does not come back, and the page is loaded again', async () => {
  const { loader } = open([failed]);
  // The test page has no such route: 404.
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  await waitFor(() => {
    expect(loader).toHaveBeenCalled();
  });
  expect(screen.queryByRole('heading', { name: 'a fox' })).toBeNull();
});

test('the focus of a deleted one goes to the heading of the list', async () => {
  const { page } = open([failed, { ...failed, id: 'gen_other' }]);
  page.fetch.mockResolvedValue(Response.json(null));
  const [first] = screen.getAllByRole('button', { name: 'Delete' });
  if (first) await userEvent.click(first);
  await waitFor(() => {
    expect(screen.getAllByRole('button', { name: 'Delete' })).toHaveLength(1);
  });
  expect(document.activeElement?.textContent).toBe('Your pictures and clips');
});

test('an item that disappears elsewhere leaves the focus alone', async () => {
  const { page } = open([failed, { ...failed, id: 'gen_other' }]);
  page.fetch.mockResolvedValue(Response.json(null));
  const [first, second] = screen.getAllByRole('button', { name: 'Delete' });
  if (first) await userEvent.click(first);
  second?.focus();
  await waitFor(() => {
    expect(screen.getAllByRole('button', { name: 'Delete' })).toHaveLength(1);
  });
  expect(document.activeElement).toBe(second);
});

test.each([
  [{ nextCursor: 'c2' }, 'Nothing is left on this page.'],
  [{ cursor: 'c2' }, 'Nothing is left on this page.'],
  [{}, 'Nothing here yet. Your pictures and clips will appear here.'],
])('a page whose items were all deleted says so (%#)', async (place, words) => {
  const { page } = open([failed], place);
  page.fetch.mockResolvedValue(Response.json(null));
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText(words)).toBeDefined();
});
