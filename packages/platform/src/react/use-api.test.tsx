// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useEffect } from 'react';
import { expect, test } from 'vitest';
import {
  ada,
  bob,
  openPage,
  signedIn,
  signedOut,
  type PageDouble,
} from '../testing/page/remix.tsx';
import { useApi, type UseApi } from '@gatehouse/frame/react';
import { useUser } from './user-state.tsx';

const address = '/api/generations/gen_1';
let api: UseApi<unknown>;

/** Renders who is signed in, and the last response. */
function Probe() {
  const own = useApi();
  const { view } = useUser();
  useEffect(() => {
    api = own;
  });
  return (
    <>
      <h1>
        {view.status === 'signed-in' ? `signed-in as ${view.profile.displayName}` : view.status}
      </h1>
      <p>{own.isSending ? 'sending' : JSON.stringify(own.result)}</p>
    </>
  );
}

const shown = () => screen.getByRole('paragraph').textContent;
const visitor = () => screen.getByRole('heading').textContent;

const isSignedIn = () =>
  waitFor(() => {
    expect(visitor()).toBe('signed-in as Ada');
  });

async function open(): Promise<PageDouble> {
  const page = openPage(Probe);
  await isSignedIn();
  return page;
}

async function send(...request: Parameters<typeof api.send>) {
  let result: unknown;
  await act(async () => {
    result = await api.send(...request);
  });
  expect(JSON.parse(shown())).toEqual(result);
  return result;
}

const json = (value: unknown, status = 200) => Response.json(value, { status });

test('a request is sent with credentials, and its response is a value', async () => {
  const page = await open();
  page.fetch.mockResolvedValue(json({ id: 'gen_1' }));
  expect(await send(address)).toEqual({ ok: true, data: { id: 'gen_1' } });
  expect(page.fetch.mock.calls).toMatchObject([
    [window.location.origin + address, { method: 'GET', credentials: 'include' }],
  ]);
});

test('a body is sent as JSON, with POST or the given method', async () => {
  const page = await open();
  page.fetch.mockImplementation(() => Promise.resolve(json(null)));
  await send('/api/generations', { body: { prompt: 'a fox' } });
  await send('/api/generations', { body: [], method: 'PUT' });
  const headers = { 'content-type': 'application/json' };
  expect(page.fetch.mock.calls).toMatchObject([
    [expect.anything(), { method: 'POST', body: '{"prompt":"a fox"}', headers }],
    [expect.anything(), { method: 'PUT', body: '[]', headers }],
  ]);
});

test.each([
  ['the site’s code', json({ error: 'rate_limited' }, 429), 429, 'rate_limited'],
  ['an edge’s page', new Response('<h1>No</h1>', { status: 503 }), 503, 'unexpected_response'],
  ['JSON without a code', json({ message: 'no' }, 500), 500, 'unexpected_response'],
  ['JSON with an invalid code', json({ error: { at: 'x' } }, 500), 500, 'unexpected_response'],
  ['JSON that is not an object', json(null, 500), 500, 'unexpected_response'],
  ['a page in place of JSON', new Response('<h1>Sign in</h1>'), 200, 'unexpected_response'],
])('%s is a value', async (_, response, status, code) => {
  const page = await open();
  page.fetch.mockResolvedValue(response);
  expect(await send(address)).toEqual({ ok: false, status, code });
  expect(page.requested.user, 'nobody doubts who is there').toBe(1);
});

test('a network failure is a lost connection, and the page stays', async () => {
  const page = await open();
  page.fetch.mockRejectedValue(new TypeError('Failed to fetch'));
  expect(await send(address)).toEqual({ ok: false, status: 0, code: 'connection_lost' });
  expect(visitor()).toBe('signed-in as Ada');
});

test('a response without a body is null', async () => {
  const page = await open();
  page.fetch.mockResolvedValue(new Response(null, { status: 204 }));
  expect(await send(address)).toEqual({ ok: true, data: null });
});

test('a 401 makes the page check who is signed in', async () => {
  const page = await open();
  page.fetch.mockResolvedValue(json({ error: 'the platform’s words' }, 401));
  page.user = 401;
  page.loaded = signedOut;
  expect(await send(address)).toEqual({ ok: false, status: 401, code: 'unauthorized' });
  await waitFor(() => {
    expect(visitor()).toBe('signed-out');
  });
});

test('a new request aborts the previous one, whose response is ignored', async () => {
  const page = await open();
  page.fetch.mockImplementationOnce((_, init) => aborting(init));
  page.fetch.mockResolvedValueOnce(json(2));
  let first: unknown;
  await act(async () => {
    const pending = api.send(address);
    await api.send(address);
    first = await pending;
  });
  expect(first).toEqual({ ok: false, status: 0, code: 'aborted' });
  expect(shown()).toBe('{"ok":true,"data":2}');
});

test('the last response stays until the next one arrives', async () => {
  const page = await open();
  page.fetch.mockResolvedValueOnce(json(1));
  await send(address);
  page.fetch.mockImplementation((_, init) => aborting(init));
  act(() => void api.send(address));
  expect(shown()).toBe('sending');
  expect(api.result).toEqual({ ok: true, data: 1 });
});

test('a response is not shown to a different person, and a pending request is aborted when the person changes', async () => {
  const page = await open();
  page.fetch.mockResolvedValueOnce(json('Ada’s'));
  await send(address);
  page.fetch.mockImplementation((_, init) => aborting(init));
  let pending: unknown;
  act(() => {
    pending = api.send(address);
  });
  page.user = bob;
  page.loaded = signedIn(bob);
  fireEvent.focus(window);
  await waitFor(() => {
    expect(visitor()).toBe('signed-in as Bob');
  });
  expect(shown()).toBe('null');
  expect(await pending).toMatchObject({ code: 'aborted' });
});

test('an outage keeps the response, and a request sent before the visitor was confirmed', async () => {
  let confirm: (profile: object) => void = () => undefined;
  const user = new Promise<object>((resolve) => (confirm = resolve));
  const page = openPage(Probe, { user });
  let respond: (response: Response) => void = () => undefined;
  page.fetch.mockReturnValue(new Promise((resolve) => (respond = resolve)));
  act(() => void api.send(address));
  confirm(ada);
  await isSignedIn();
  expect(shown()).toBe('sending');
  await act(async () => {
    respond(json('early'));
    await Promise.resolve();
  });
  await waitFor(() => {
    expect(shown()).toBe('{"ok":true,"data":"early"}');
  });
  page.user = 503;
  fireEvent.focus(window);
  await waitFor(() => {
    expect(visitor()).toBe('unavailable');
  });
  expect(shown()).toBe('{"ok":true,"data":"early"}');
});

test('an unmounted page aborts its request', async () => {
  const page = await open();
  page.fetch.mockImplementation((_, init) => aborting(init));
  let pending: unknown;
  act(() => {
    pending = api.send(address);
  });
  expect(shown()).toBe('sending');
  cleanup();
  expect(await pending).toEqual({ ok: false, status: 0, code: 'aborted' });
});

test.each(['https://evil.test/api/user', '/gallery', '/apis', 'http://', 'blob:x'])(
  '%s is not requested [W24]',
  async (elsewhere) => {
    const page = await open();
    await expect(api.send(elsewhere)).rejects.toThrow('app-local /api/');
    expect(page.fetch).not.toHaveBeenCalled();
    expect(shown()).toBe('null');
  },
);

function aborting(init: RequestInit | undefined): Promise<Response> {
  return new Promise((_, reject) => {
    init?.signal?.addEventListener('abort', () => {
      reject(new DOMException('aborted', 'AbortError'));
    });
  });
}
