// @vitest-environment happy-dom
/** An upload on a page: its progress, its end, and whose it is. Files that are dropped and pasted. */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SessionProvider } from './sessions.tsx';
import { useFileDrop } from './use-file-drop.ts';
import { useUpload } from './use-upload.ts';

/** A request as `uploadFile` uses it. */
class RequestDouble {
  upload: { onprogress: (progress: object) => void } = { onprogress: () => undefined };
  status = 0;
  responseText = '';
  isAborted = false;
  address = '';
  sent: unknown;
  onload = () => undefined;
  onabort = () => undefined;
  open = (_method: string, address: string) => {
    this.address = address;
    requests.push(this);
  };
  setRequestHeader = () => undefined;
  send = (body: unknown) => {
    this.sent = body;
  };
  abort = () => {
    this.isAborted = true;
    this.onabort();
  };
  respond(status: number, body: object) {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.onload();
  }
}

const requests: RequestDouble[] = [];
const check = vi.fn();

beforeEach(() => {
  requests.length = 0;
  check.mockClear();
  vi.stubGlobal('XMLHttpRequest', RequestDouble);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Picker() {
  const { share, result, send, cancel } = useUpload();
  const [isDisabled, setDisabled] = useState(false);
  const { isOver, handlers } = useFileDrop({
    disabled: isDisabled,
    onFiles: ([file]) => {
      if (file) void send('/api/files', file);
    },
  });
  return (
    <main {...handlers}>
      <p>{JSON.stringify({ share, result, isOver })}</p>
      <button onClick={cancel}>Cancel</button>
      <button
        onClick={() => {
          setDisabled(true);
        }}
      >
        Disable
      </button>
    </main>
  );
}

const page = (person: string | null) => (
  <SessionProvider person={person} check={check}>
    <Picker />
  </SessionProvider>
);
const shown = () => JSON.parse(screen.getByRole('paragraph').textContent) as object;
const file = (name: string) => new File(['abc'], name);
const drop = (...files: File[]) =>
  fireEvent.drop(screen.getByRole('main'), { dataTransfer: { files, types: ['Files'] } });
const at = (index: number) => requests[index] as RequestDouble;
const progress = (index: number, loaded: number) => {
  act(() => {
    at(index).upload.onprogress({ loaded, total: 4 });
  });
};
const respond = (index: number, status: number, body: object) =>
  act(() => {
    at(index).respond(status, body);
    return Promise.resolve();
  });

test('a file that is dropped is sent with progress, and the result is shown', async () => {
  render(page('ada'));
  drop(file('a.png'));
  expect(shown()).toMatchObject({ share: 0, result: null });
  expect([at(0).address, at(0).sent]).toEqual([
    `${window.location.origin}/api/files`,
    expect.any(File),
  ]);
  progress(0, 1);
  expect(shown()).toMatchObject({ share: 0.25 });
  await respond(0, 201, { id: 'f1' });
  expect(shown()).toMatchObject({ share: null, result: { ok: true, data: { id: 'f1' } } });
});

test('cancelling, another file, and leaving the page end what is being sent', () => {
  const { unmount } = render(page('ada'));
  drop(file('a.png'));
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect([at(0).isAborted, shown()]).toMatchObject([true, { share: null, result: null }]);
  drop(file('b.png'));
  drop(file('c.png'));
  expect(requests.map(({ isAborted }) => isAborted)).toEqual([true, true, false]);
  progress(1, 4);
  expect(shown()).toMatchObject({ share: 0 });
  unmount();
  expect(at(2).isAborted).toBe(true);
});

test('what one person sends ends when another is signed in, who does not see its result', async () => {
  const { rerender } = render(page('ada'));
  drop(file('a.png'));
  await respond(0, 201, { id: 'f1' });
  drop(file('b.png'));
  rerender(page(null));
  expect(at(1).isAborted).toBe(false);
  rerender(page('ada'));
  expect(at(1).isAborted).toBe(false);
  rerender(page('bob'));
  expect([at(1).isAborted, shown()]).toMatchObject([true, { share: null, result: null }]);
});

test.each([401, 409])('after %i the page checks who is signed in', async (status) => {
  render(page('ada'));
  drop(file('a.png'));
  await respond(0, status, { error: 'x' });
  expect(check).toHaveBeenCalledOnce();
});

test('a pasted file is taken wherever the page has the cursor, and a pasted text is not', () => {
  render(page('ada'));
  const pasted = (files: File[]) => fireEvent.paste(document.body, { clipboardData: { files } });
  expect(pasted([])).toBe(true);
  expect(pasted([file('a.png')])).toBe(false);
  expect(requests).toHaveLength(1);
});

test('while it is disabled, no file is taken, and the browser does not open it either', () => {
  render(page('ada'));
  const over = () =>
    fireEvent.dragOver(screen.getByRole('main'), { dataTransfer: { types: ['Files'] } });
  expect([over(), shown()]).toMatchObject([false, { isOver: true }]);
  fireEvent.click(screen.getByRole('button', { name: 'Disable' }));
  expect([over(), drop(file('a.png'))]).toEqual([false, false]);
  expect([requests, shown()]).toMatchObject([[], { isOver: false }]);
});
