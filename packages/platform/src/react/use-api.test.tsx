// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useEffect } from 'react';
import { expect, test } from 'vitest';
import { ada, bob, openPage, signedIn, signedOut, type World } from '../testing/page-double.tsx';
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
      <p>{own.asking ? 'asking' : JSON.stringify(own.answer)}</p>
    </>
  );
}

const shown = () => screen.getByRole('paragraph').textContent;
const visitor = () => screen.getByRole('heading').textContent;

const isSignedIn = () =>
  waitFor(() => {
    expect(visitor()).toBe('signed-in as Ada');
  });

async function open(): Promise<World> {
  const world = openPage(Probe);
  await isSignedIn();
  return world;
}

async function ask(...question: Parameters<typeof api.ask>) {
  let answer: unknown;
  await act(async () => {
    answer = await api.ask(...question);
  });
  expect(JSON.parse(shown())).toEqual(answer);
  return answer;
}

const json = (value: unknown, status = 200) => Response.json(value, { status });

test('a request is sent with credentials, and its response is a value', async () => {
  const world = await open();
  world.fetch.mockResolvedValue(json({ id: 'gen_1' }));
  expect(await ask(address)).toEqual({ ok: true, data: { id: 'gen_1' } });
  expect(world.fetch.mock.calls).toMatchObject([
    [window.location.origin + address, { method: 'GET', credentials: 'include' }],
  ]);
});

test('a body is sent as JSON, with POST or the given method', async () => {
  const world = await open();
  world.fetch.mockImplementation(() => Promise.resolve(json(null)));
  await ask('/api/generations', { body: { prompt: 'a fox' } });
  await ask('/api/generations', { body: [], method: 'PUT' });
  const headers = { 'content-type': 'application/json' };
  expect(world.fetch.mock.calls).toMatchObject([
    [expect.anything(), { method: 'POST', body: '{"prompt":"a fox"}', headers }],
    [expect.anything(), { method: 'PUT', body: '[]', headers }],
  ]);
});

test.each([
  ['the site’s code', json({ error: 'rate_limited' }, 429), 429, 'rate_limited'],
  ['an edge’s page', new Response('<h1>No</h1>', { status: 503 }), 503, 'unexpected_answer'],
  ['JSON without a code', json({ message: 'no' }, 500), 500, 'unexpected_answer'],
  ['JSON with an invalid code', json({ error: { at: 'x' } }, 500), 500, 'unexpected_answer'],
  ['JSON that is not an object', json(null, 500), 500, 'unexpected_answer'],
  ['a page in place of JSON', new Response('<h1>Sign in</h1>'), 200, 'unexpected_answer'],
])('%s is a value', async (_, answer, status, code) => {
  const world = await open();
  world.fetch.mockResolvedValue(answer);
  expect(await ask(address)).toEqual({ ok: false, status, code });
  expect(world.asked.user, 'nobody doubts who is there').toBe(1);
});

test('a network failure is a lost connection, and the page stays', async () => {
  const world = await open();
  world.fetch.mockRejectedValue(new TypeError('Failed to fetch'));
  expect(await ask(address)).toEqual({ ok: false, status: 0, code: 'connection_lost' });
  expect(visitor()).toBe('signed-in as Ada');
});

test('a response without a body is null', async () => {
  const world = await open();
  world.fetch.mockResolvedValue(new Response(null, { status: 204 }));
  expect(await ask(address)).toEqual({ ok: true, data: null });
});

test('a 401 makes the page check who is signed in', async () => {
  const world = await open();
  world.fetch.mockResolvedValue(json({ error: 'the platform’s words' }, 401));
  world.user = 401;
  world.loaded = signedOut;
  expect(await ask(address)).toEqual({ ok: false, status: 401, code: 'unauthorized' });
  await waitFor(() => {
    expect(visitor()).toBe('signed-out');
  });
});

test('a new request aborts the previous one, whose response is ignored', async () => {
  const world = await open();
  world.fetch.mockImplementationOnce((_, init) => aborting(init));
  world.fetch.mockResolvedValueOnce(json(2));
  let first: unknown;
  await act(async () => {
    const asked = api.ask(address);
    await api.ask(address);
    first = await asked;
  });
  expect(first).toEqual({ ok: false, status: 0, code: 'aborted' });
  expect(shown()).toBe('{"ok":true,"data":2}');
});

test('the last response stays until the next one arrives', async () => {
  const world = await open();
  world.fetch.mockResolvedValueOnce(json(1));
  await ask(address);
  world.fetch.mockImplementation((_, init) => aborting(init));
  act(() => void api.ask(address));
  expect(shown()).toBe('asking');
  expect(api.answer).toEqual({ ok: true, data: 1 });
});

test('a response is not shown to a different person, and a pending request is aborted when the person changes', async () => {
  const world = await open();
  world.fetch.mockResolvedValueOnce(json('Ada’s'));
  await ask(address);
  world.fetch.mockImplementation((_, init) => aborting(init));
  let asked: unknown;
  act(() => {
    asked = api.ask(address);
  });
  world.user = bob;
  world.loaded = signedIn(bob);
  fireEvent.focus(window);
  await waitFor(() => {
    expect(visitor()).toBe('signed-in as Bob');
  });
  expect(shown()).toBe('null');
  expect(await asked).toMatchObject({ code: 'aborted' });
});

test('an outage keeps the response, and a request sent before the visitor was confirmed', async () => {
  let confirm: (profile: object) => void = () => undefined;
  const user = new Promise<object>((resolve) => (confirm = resolve));
  const world = openPage(Probe, { user });
  let answer: (response: Response) => void = () => undefined;
  world.fetch.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  act(() => void api.ask(address));
  confirm(ada);
  await isSignedIn();
  expect(shown()).toBe('asking');
  await act(async () => {
    answer(json('early'));
    await Promise.resolve();
  });
  await waitFor(() => {
    expect(shown()).toBe('{"ok":true,"data":"early"}');
  });
  world.user = 503;
  fireEvent.focus(window);
  await waitFor(() => {
    expect(visitor()).toBe('unavailable');
  });
  expect(shown()).toBe('{"ok":true,"data":"early"}');
});

test('an unmounted page aborts its request', async () => {
  const world = await open();
  world.fetch.mockImplementation((_, init) => aborting(init));
  let asked: unknown;
  act(() => {
    asked = api.ask(address);
  });
  expect(shown()).toBe('asking');
  cleanup();
  expect(await asked).toEqual({ ok: false, status: 0, code: 'aborted' });
});

test.each(['https://evil.test/api/user', '/gallery', '/apis', 'http://', 'blob:x'])(
  '%s is not requested [W24]',
  async (elsewhere) => {
    const world = await open();
    await expect(api.ask(elsewhere)).rejects.toThrow('app-local /api/');
    expect(world.fetch).not.toHaveBeenCalled();
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
