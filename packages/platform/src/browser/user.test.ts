// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { loadPlatformUser } from './user.ts';

const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
});

const respondWith = (response: Response) => fetched.mockResolvedValue(response);

test('fetches /api/user with credentials, once, and returns the parsed JSON [W14]', async () => {
  respondWith(Response.json({ id: 'u1', name: 'Ada' }));
  expect(await loadPlatformUser()).toEqual({ id: 'u1', name: 'Ada' });
  expect(fetched.mock.calls).toEqual([['/api/user', { credentials: 'include' }]]);
});

test.each([null, 'text'])('returns the JSON %j unchanged [W14]', async (value) => {
  respondWith(Response.json(value));
  expect(await loadPlatformUser()).toEqual(value);
});

test.each(['{"error":"signed out"}', '', 'no json', '<p>'])(
  'treats 401 as signed out, whatever its body: %j [W14]',
  async (body) => {
    respondWith(new Response(body, { status: 401 }));
    expect(await loadPlatformUser()).toBeNull();
  },
);

test.each([300, 304, 400, 402, 403, 404, 429, 500, 502, 503, 504])(
  'throws the contract’s message for status %i [W14]',
  async (status) => {
    respondWith(new Response(status === 304 ? null : '{"error":"canary"}', { status }));
    await expect(loadPlatformUser()).rejects.toThrow(/^Failed to load user$/);
  },
);

test('throws the contract’s message when there is no response [W14]', async () => {
  fetched.mockRejectedValue(new TypeError('network down'));
  await expect(loadPlatformUser()).rejects.toThrow(/^Failed to load user$/);
});

test.each(['', '{"id":', '<!doctype html>'])(
  'throws the contract’s message when the profile is not JSON: %j [W14]',
  async (body) => {
    respondWith(new Response(body, { status: 200 }));
    await expect(loadPlatformUser()).rejects.toThrow(/^Failed to load user$/);
  },
);
