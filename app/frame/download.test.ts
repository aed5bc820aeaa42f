// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { downloadAuthenticatedFile } from './download';

const fetched = vi.fn<typeof fetch>();
const blobUrl = 'blob:http://localhost:3000/1';
/** What happened, in order. */
const story: string[] = [];
const blobs: Blob[] = [];

beforeEach(() => {
  story.length = 0;
  fetched.mockReset();
  fetched.mockResolvedValue(new Response('bytes'));
  vi.stubGlobal('fetch', fetched);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  blobs.length = 0;
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    story.push('made');
    blobs.push(blob as Blob);
    return blobUrl;
  });
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => {
    story.push(`revoked ${url}`);
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    const place = this.isConnected ? 'in the page' : 'outside the page';
    story.push(`clicked ${this.href} as ${this.download}, ${place}`);
    expect(this.hidden).toBe(true);
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const here = window.location.origin;

test('fetches with credentials, clicks a hidden anchor, and tidies up [W21] [W22]', async () => {
  await downloadAuthenticatedFile({ url: '/api/generations/g1/output.png', filename: 'g1.png' });
  expect(fetched.mock.calls).toEqual([
    [`${here}/api/generations/g1/output.png`, { credentials: 'include' }],
  ]);
  expect(document.querySelectorAll('a')).toHaveLength(0);
  // The URL outlives the click, and goes on a timer of no delay.
  expect(story).toEqual(['made', `clicked ${blobUrl} as g1.png, in the page`]);
  vi.advanceTimersByTime(0);
  expect(story.at(-1)).toBe(`revoked ${blobUrl}`);
});

test('saves the very bytes, with their type [W22] [W27]', async () => {
  const bytes = new Uint8Array([0x89, 0x50, 0x00, 0xff]);
  fetched.mockResolvedValue(new Response(bytes, { headers: { 'content-type': 'image/png' } }));
  await downloadAuthenticatedFile({ url: '/api/x', filename: 'x.png' });
  expect(blobs.map(({ type }) => type)).toEqual(['image/png']);
  expect(new Uint8Array((await blobs[0]?.arrayBuffer()) ?? [])).toEqual(bytes);
});

const words = 'Authenticated downloads require an app-local /api/... URL';

test.each([
  '//evil.test/api/x',
  'https://evil.test/api/x',
  `https://${window.location.host}/api/x`,
  'http://localhost:1/api/x',
  '\\\\evil.test/api/x',
  '/\\evil.test/api/x',
  'http:\\\\evil.test\\api\\x',
  '/api',
  '/api?x=/api/',
  '/api#/api/',
  '/apix',
  '/API/x',
  '/x/api/y',
  '/api/../x',
  '/api/..',
  '/api/%2e%2e/x',
  '/api/.%2E/x',
  '/api\\..\\x',
  '../x',
  '',
  '#',
  '?/api/',
  `blob:${here}/api/x`,
  'data:text/html,/api/x',
  'javascript:alert(1)//api/',
  'file:///api/x',
  'about:blank',
  'http://',
  'http://[/api/',
  ' https://evil.test/api/x',
  'ht\ntps://evil.test/api/x',
])('refuses %j with the contract’s words, and asks nobody [W24]', async (url) => {
  await expect(downloadAuthenticatedFile({ url, filename: 'x' })).rejects.toThrow(
    expect.objectContaining({ message: words }),
  );
  expect(fetched).not.toHaveBeenCalled();
  expect(story).toEqual([]);
});

test.each([
  ['/api/x?y=1', '/api/x?y=1'],
  [`${here}/api/x`, '/api/x'],
  ['/x/../api/y', '/api/y'],
  ['/api/a%2F..%2Fb', '/api/a%2F..%2Fb'],
  ['/api/', '/api/'],
])('takes %j, and asks for it as it was checked: %s [W24]', async (url, path) => {
  await downloadAuthenticatedFile({ url, filename: 'x' });
  expect(fetched.mock.calls[0]?.[0]).toBe(here + path);
});

test.each([400, 401, 403, 404, 409, 500, 502, 504])(
  'throws the contract’s words at status %i, and saves nothing [W25]',
  async (status) => {
    fetched.mockResolvedValue(new Response('{"error":"canary"}', { status }));
    await expect(downloadAuthenticatedFile({ url: '/api/x', filename: 'x' })).rejects.toThrow(
      expect.objectContaining({ message: `Download failed (${status})` }),
    );
    expect(story).toEqual([]);
  },
);

test('a network failure is left to the caller, and saves nothing [W26]', async () => {
  fetched.mockRejectedValue(new TypeError('network down'));
  await expect(downloadAuthenticatedFile({ url: '/api/x', filename: 'x' })).rejects.toThrow(
    TypeError,
  );
  expect(story).toEqual([]);
});
