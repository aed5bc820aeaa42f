// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { openPage } from '@gatehouse/platform/remix/testing';
import { DownloadButton } from '~/shell/download-button';
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

test('downloads with credentials, and shows that it is downloading [W21] [W26]', async () => {
  const page = open();
  let respond: (response: Response) => void = () => undefined;
  page.fetch.mockReturnValue(new Promise((resolve) => (respond = resolve)));
  expect([button().type, button().disabled, button().textContent]).toEqual([
    'button',
    false,
    'Download',
  ]);

  await userEvent.click(button());
  expect([button().disabled, button().textContent]).toEqual([true, 'Downloading…']);
  await userEvent.click(button());
  expect(page.fetch.mock.calls).toEqual([
    [
      `${window.location.origin}/api/generations/g1/output.png`,
      { credentials: 'include', signal: expect.any(AbortSignal) as AbortSignal },
    ],
  ]);

  act(() => {
    respond(new Response('bytes'));
  });
  await waitFor(() => {
    expect([button().disabled, button().textContent]).toEqual([false, 'Download']);
  });
  expect(saved).toEqual(['g1.png']);
  expect(shown).not.toHaveBeenCalled();
});

/** A response whose body the test sends chunk by chunk. */
function slowFile(headers: Record<string, string>, status = 200) {
  let sending: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      sending = controller;
    },
  });
  return {
    response: new Response(body, { status, headers }),
    send(bytes: number) {
      sending.enqueue(new Uint8Array(bytes));
    },
    end() {
      sending.close();
    },
    breakOff() {
      sending.error(new TypeError('network down'));
    },
  };
}

const megabyte = 1_000_000;
const head = { 'content-length': `${8 * megabyte}`, 'accept-ranges': 'bytes', etag: '"one"' };
const bar = () => screen.queryByRole('progressbar', { name: 'Download of g1.png' });
const cancel = () => screen.getByRole('button', { name: 'Cancel the download of g1.png' });

test('a large file shows its progress, and resumes after an interruption [W25 W26]', async () => {
  const page = open();
  const file = slowFile(head);
  page.fetch.mockResolvedValue(file.response);
  await userEvent.click(button());
  await waitFor(() => {
    expect(bar()?.getAttribute('aria-valuetext')).toBe('0.0 MB of 8.0 MB');
  });
  expect([button().disabled, button().textContent]).toEqual([true, 'Downloading…']);
  vi.spyOn(performance, 'now').mockReturnValue(1e9);
  file.send(2 * megabyte);
  await waitFor(() => {
    expect(bar()?.getAttribute('aria-valuetext')).toBe('2.0 MB of 8.0 MB');
  });
  file.breakOff();
  await waitFor(() => {
    expect(shown.mock.calls).toEqual([['Download failed. Check your connection and try again.']]);
  });
  expect([button().disabled, button().textContent]).toEqual([false, 'Download']);
  expect(screen.getByText(/^Interrupted at/)).toBeTruthy();

  const range = `bytes ${2 * megabyte}-${8 * megabyte - 1}/${8 * megabyte}`;
  const rest = slowFile({ ...head, 'content-range': range }, 206);
  page.fetch.mockResolvedValue(rest.response);
  await userEvent.click(button());
  expect(page.fetch.mock.lastCall?.[1]?.headers).toEqual({
    range: `bytes=${2 * megabyte}-`,
    'if-range': '"one"',
  });
  rest.send(6 * megabyte);
  rest.end();
  await waitFor(() => {
    expect([saved, bar()]).toEqual([['g1.png'], null]);
  });
});

test('a large download can be canceled: nothing is saved, kept or reported as an error [W26]', async () => {
  const page = open();
  const file = slowFile(head);
  page.fetch.mockImplementation((_, { signal } = {}) => {
    signal?.addEventListener('abort', () => {
      file.breakOff();
    });
    return Promise.resolve(file.response);
  });
  await userEvent.click(button());
  await waitFor(() => {
    expect(bar()).toBeTruthy();
  });
  file.send(5 * megabyte);
  await userEvent.click(cancel());
  await waitFor(() => {
    expect([button().disabled, button().textContent, bar()]).toEqual([false, 'Download', null]);
  });
  expect(document.activeElement).toBe(button());
  expect([saved, shown.mock.calls]).toEqual([[], []]);
  await userEvent.click(button());
  expect(page.fetch.mock.lastCall?.[1]?.headers).toBeUndefined();
});

test('a large file of unknown length shows the bytes received, and can be dismissed after an interruption [W26]', async () => {
  const page = open();
  const file = slowFile({});
  page.fetch.mockResolvedValue(file.response);
  await userEvent.click(button());
  vi.spyOn(performance, 'now').mockReturnValue(1e9);
  file.send(5 * megabyte);
  await waitFor(() => {
    expect(bar()?.getAttribute('aria-valuetext')).toBe('5.0 MB');
  });
  expect(bar()?.getAttribute('aria-valuenow')).toBeNull();
  file.breakOff();
  await waitFor(() => {
    expect(button().disabled).toBe(false);
  });
  // It cannot be resumed.
  expect(bar()).toBeNull();
});

test('a failed download shows its error in a toast, and the button is enabled again [W25] [W26]', async () => {
  const page = open();
  await waitFor(() => {
    expect(page.requested.user).toBe(1);
  });
  page.fetch.mockResolvedValue(new Response('canary', { status: 401 }));
  await userEvent.click(button());
  await waitFor(() => {
    expect(shown.mock.calls).toEqual([['Download failed (401)']]);
  });
  expect([button().disabled, button().textContent]).toEqual([false, 'Download']);
  expect(saved).toEqual([]);
  // The session may have ended, so the page checks immediately.
  expect(page.requested.user).toBe(2);
});

test('a network failure shows the site’s own message [W26] [W33]', async () => {
  open().fetch.mockRejectedValue(new TypeError('canary: net::ERR_FAILED'));
  await userEvent.click(button());
  await waitFor(() => {
    expect(shown.mock.calls).toEqual([['Download failed. Check your connection and try again.']]);
  });
});

test('an address on another site is rejected with the contract’s message [W24] [W26]', async () => {
  const page = openPage(() => <DownloadButton url="https://evil.test/api/x" filename="x" />);
  await userEvent.click(button());
  await waitFor(() => {
    expect(shown.mock.calls).toEqual([
      ['Authenticated downloads require an app-local /api/... URL'],
    ]);
  });
  expect(page.fetch).not.toHaveBeenCalled();
});
