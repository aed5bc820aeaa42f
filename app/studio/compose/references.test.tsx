// @vitest-environment happy-dom
/** References of an order: dropped, pasted or chosen files, and their uploads. */
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { uploadMaxBytes } from '~/platform/media/media';
import { ada, openPage, type PageOptions, signedOut } from '@gatehouse/platform/remix/testing';
import { toast } from '~/ui/toast';
import { ComposeForm } from './compose-form';
import { emptyOrder } from './order-draft';
import Studio from '../routes/studio';
import { VisitProvider } from '../visit';

const uploads: UploadDouble[] = [];

class UploadDouble {
  readonly upload = {};
  isAborted = false;
  status = 0;
  responseText = '';
  onload: () => void = () => undefined;
  onerror: () => void = () => undefined;
  onabort: () => void = () => undefined;
  open() {
    uploads.push(this);
  }
  setRequestHeader() {
    return undefined;
  }
  send() {
    return undefined;
  }
  abort() {
    this.isAborted = true;
    this.onabort();
  }
  respond(status: number, body: unknown) {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.onload();
  }
}

beforeEach(() => {
  sessionStorage.clear();
  uploads.length = 0;
  vi.stubGlobal('XMLHttpRequest', UploadDouble);
  vi.spyOn(toast, 'error').mockReturnValue(1);
});

const failed = {
  id: 'g1',
  kind: 'picture',
  aspectRatio: '1:1',
  cost: 1,
  failure: 'timed_out',
  references: [],
  prompt: 'a fox',
  status: 'failed',
  progress: 1,
  createdAt: '2026-11-21T07:00:00Z',
  output: null,
};
const page = {
  feed: { items: [failed], nextCursor: null },
  error: null,
  workspaces: null,
  estimate: null,
  person: 'u1',
  orderKey: '',
  view: { cursor: '' },
};

const open = async (options: PageOptions = {}) => {
  const double = openPage(Studio, { at: '/studio', loaderData: page, ...options });
  await waitFor(() => {
    expect(input().closest('fieldset:disabled')).toBeNull();
  });
  return double;
};

const input = () => screen.getByLabelText<HTMLInputElement>('Reference files');
const form = () => screen.getByRole('textbox').closest('form') as HTMLFormElement;
const generate = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Generate/ });
const picture = (name: string, size = 3) => {
  const file = new File(['abc'], name, { type: 'image/png' });
  Object.defineProperty(file, 'size', { value: size });
  return file;
};
const drop = (...files: File[]) => {
  fireEvent.drop(form(), { dataTransfer: { files, types: ['Files'] } });
};
const rows = () => screen.queryAllByRole('button', { name: /^(Remove|Cancel the upload of) / });

test('files can be dropped, pasted and chosen', async () => {
  await open();
  drop(picture('a.png'));
  fireEvent.paste(form(), { clipboardData: { files: [picture('b.png')] } });
  await userEvent.upload(input(), picture('c.png'));
  expect(uploads).toHaveLength(3);
  act(() => {
    uploads[0]?.respond(200, { id: 'm1', url: '/api/media/m1/file', contentType: 'image/png' });
  });
  await screen.findByRole('button', { name: 'Remove a.png' });
  expect(screen.getByText('Waiting for uploads to finish.')).toBeDefined();
});

test('files that are empty or too large are not uploaded, and say why', async () => {
  await open();
  drop(picture('a.png', 0), picture('b.png', uploadMaxBytes + 1));
  expect(screen.getByText('This file is empty.')).toBeDefined();
  expect(screen.getByText('This file is too large.')).toBeDefined();
  expect(screen.getByText('Remove the reference that failed to upload.')).toBeDefined();
  expect([uploads.length, generate().disabled]).toEqual([0, true]);
});

test('of too many files only those that fit are uploaded, even if they are added at the same time', async () => {
  await open();
  act(() => {
    drop(picture('a.png'), picture('b.png'), picture('c.png'));
    drop(picture('d.png'), picture('e.png'));
  });
  expect(rows()).toHaveLength(4);
  expect(uploads).toHaveLength(4);
  expect(toast.error).toHaveBeenCalledWith('At most 4 references.');
});

test('an upload that another order replaces is aborted', async () => {
  await open();
  drop(picture('a.png'));
  await userEvent.click(screen.getByRole('button', { name: 'Reuse' }));
  expect(rows()).toHaveLength(0);
  expect(uploads.map(({ isAborted }) => isAborted)).toEqual([true]);
});

test('an upload that a change of workspace leaves behind is aborted', async () => {
  const workspaces = (chosen: string) => ({
    ...page,
    feed: { ...page.feed, items: [{ ...failed, status: 'running', failure: null }] },
    workspaces: {
      items: ['w1', 'w2'].map((id) => ({ id, name: id, canGenerate: true, credits: 1 })),
      chosen,
    },
  });
  // Polled, because the generation is running.
  await open({ loaderData: workspaces('w1'), loader: () => Response.json(workspaces('w2')) });
  drop(picture('a.png'));
  await waitFor(() => {
    expect(uploads.map(({ isAborted }) => isAborted)).toEqual([true]);
  });
  expect(rows()).toHaveLength(0);
});

test('no reference can be added while an order is being submitted: it would not be part of it', () => {
  const change = vi.fn();
  openPage(() => (
    <VisitProvider value={{ usable: true, account: 'u1', workspace: undefined }}>
      <ComposeForm
        order={emptyOrder}
        change={change}
        closed={null}
        estimate={null}
        sending
        result={undefined}
      />
    </VisitProvider>
  ));
  expect(input().disabled).toBe(true);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add references' }).disabled).toBe(
    true,
  );
  drop(picture('a.png'));
  expect(change).not.toHaveBeenCalled();
});

test('an outage does not abort an upload: it completes, or says why it failed', async () => {
  const page = await open();
  drop(picture('a.png'), picture('b.png'));
  page.user = 503;
  fireEvent.focus(window);
  await screen.findByText(/The platform is not responding/);
  expect(uploads.map(({ isAborted }) => isAborted)).toEqual([false, false]);
  act(() => {
    uploads[0]?.respond(200, { id: 'm1', url: '/api/media/m1/file', contentType: 'image/png' });
    uploads[1]?.onerror();
  });
  await screen.findByText('The connection was lost. Try again.');
  page.user = ada;
  fireEvent.focus(window);
  await waitFor(() => {
    expect(screen.queryByText(/The platform is not responding/)).toBeNull();
  });
  const names = rows().map((row) => row.getAttribute('aria-label'));
  expect(names).toEqual(['Remove a.png', 'Remove b.png']);
});

test('an upload is aborted when the session ends', async () => {
  const page = await open();
  drop(picture('a.png'));
  page.user = 401;
  page.loaded = signedOut;
  fireEvent.focus(window);
  await screen.findByRole('region', { name: 'Signed out' });
  expect(uploads.map(({ isAborted }) => isAborted)).toEqual([true]);
});
