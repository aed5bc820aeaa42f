// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { downloadAuthenticatedFile } from './download.ts';
import { createPartialFile } from './partial-file.ts';

const fetched = vi.fn<typeof fetch>();
const blobUrl = 'blob:http://localhost:3000/1';
/** Events, in order. */
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

test('fetches with credentials, clicks a hidden anchor, and cleans up [W21] [W22]', async () => {
  await downloadAuthenticatedFile({ url: '/api/generations/g1/output.png', filename: 'g1.png' });
  expect(fetched.mock.calls).toEqual([
    [`${here}/api/generations/g1/output.png`, { credentials: 'include' }],
  ]);
  expect(document.querySelectorAll('a')).toHaveLength(0);
  // The URL outlives the click and is revoked on a zero-delay timer.
  expect(story).toEqual(['made', `clicked ${blobUrl} as g1.png, in the page`]);
  vi.advanceTimersByTime(0);
  expect(story.at(-1)).toBe(`revoked ${blobUrl}`);
});

test('saves the exact bytes with their type [W22] [W27]', async () => {
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
])('rejects %j with the contract’s message, and sends no request [W24]', async (url) => {
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
])('accepts %j and fetches the address it validated: %s [W24]', async (url, path) => {
  await downloadAuthenticatedFile({ url, filename: 'x' });
  expect(fetched.mock.calls[0]?.[0]).toBe(here + path);
});

test.each([400, 401, 403, 404, 409, 500, 502, 504])(
  'throws the contract’s message for status %i, and saves nothing [W25]',
  async (status) => {
    fetched.mockResolvedValue(new Response('{"error":"canary"}', { status }));
    await expect(downloadAuthenticatedFile({ url: '/api/x', filename: 'x' })).rejects.toThrow(
      expect.objectContaining({ message: `Download failed (${status})` }),
    );
    expect(story).toEqual([]);
  },
);

test('a network failure reaches the caller, and nothing is saved [W26]', async () => {
  fetched.mockRejectedValue(new TypeError('network down'));
  await expect(downloadAuthenticatedFile({ url: '/api/x', filename: 'x' })).rejects.toThrow(
    TypeError,
  );
  expect(story).toEqual([]);
});

/** Sends the first two of four bytes, then loses the connection. */
function broken(headers: Record<string, string>): Response {
  const body = new ReadableStream({
    async pull(controller) {
      controller.enqueue(new Uint8Array([1, 2]));
      await Promise.resolve();
      controller.error(new TypeError('network down'));
    },
  });
  return new Response(body, { headers });
}

const file = { url: '/api/x', filename: 'x' };
const versioned = { 'accept-ranges': 'bytes', etag: '"v1"', 'content-type': 'image/png' };
const rest = { range: 'bytes=2-', 'if-range': '"v1"' };
const part = (range: string, headers: Record<string, string> = {}, bytes = [3, 4]) =>
  new Response(new Uint8Array(bytes), {
    status: 206,
    headers: { ...versioned, 'content-range': range, ...headers },
  });

/** What a second attempt requests after an interrupted one, and its outcome. */
async function twice(first: Response, second: Response) {
  const partial = createPartialFile();
  fetched.mockResolvedValueOnce(first).mockResolvedValueOnce(second);
  await expect(downloadAuthenticatedFile(file, { partial })).rejects.toThrow(TypeError);
  expect(story).toEqual([]);
  const outcome = await downloadAuthenticatedFile(file, { partial }).then(
    () => 'saved',
    (error: unknown) => (error as Error).message,
  );
  const saved = blobs[0] && [...new Uint8Array(await blobs[0].arrayBuffer())];
  return { outcome, requested: fetched.mock.calls[1]?.[1]?.headers, saved, next: partial.headers };
}

test('a retry requests only the missing range of the same version, and saves the complete file [W22] [W27]', async () => {
  expect(await twice(broken(versioned), part('bytes 2-3/4'))).toEqual({
    outcome: 'saved',
    requested: rest,
    saved: [1, 2, 3, 4],
    next: null,
  });
  expect(blobs[0]?.type).toBe('image/png');
});

test('a file that changed in the meantime is downloaded from the start', async () => {
  const changed = new Response(new Uint8Array([9, 9, 9]), { headers: versioned });
  expect(await twice(broken(versioned), changed)).toMatchObject({
    requested: rest,
    saved: [9, 9, 9],
  });
});

test.each([
  ['without range support', { etag: '"v1"' }],
  ['without an ETag', { 'accept-ranges': 'bytes' }],
  ['with a weak ETag', { 'accept-ranges': 'bytes', etag: 'W/"v1"' }],
  ['with a content coding', { ...versioned, 'content-encoding': 'br' }],
])('a file %s is requested from the start', async (_, headers) => {
  const whole = new Response(new Uint8Array([1, 2, 3, 4]));
  const { requested, saved } = await twice(broken(headers), whole);
  expect([requested, saved]).toEqual([undefined, [1, 2, 3, 4]]);
});

test.each([
  ['at another offset', part('bytes 1-3/4')],
  ['of another version', part('bytes 2-3/4', { etag: '"v2"' })],
  ['of another length', part('bytes 2-3/5')],
  ['without a `content-range`', part('')],
])(
  'a partial response %s is not appended: nothing is saved, and the earlier bytes are discarded [W25]',
  async (_, second) => {
    const length = { ...versioned, 'content-length': '4' };
    const { outcome, saved, next } = await twice(broken(length), second);
    expect([outcome, saved, next]).toEqual(['Download failed (206)', undefined, null]);
  },
);

test('a 206 to a request without a range is not saved [W25]', async () => {
  fetched.mockResolvedValue(part('bytes 2-3/4'));
  await expect(downloadAuthenticatedFile(file)).rejects.toThrow('Download failed (206)');
  expect(story).toEqual([]);
});

test('a range that ends early can be resumed again', async () => {
  const length = { ...versioned, 'content-length': '4' };
  const { outcome, next } = await twice(broken(length), part('bytes 2-2/4', {}, [3]));
  expect([outcome, next]).toEqual(['The file ends early', { ...rest, range: 'bytes=3-' }]);
});

test.each([
  [416, null],
  [502, rest],
])('after status %i the next attempt sends the headers %j [W25]', async (status, next) => {
  const second = await twice(broken(versioned), new Response(null, { status }));
  expect([second.outcome, second.next]).toEqual([`Download failed (${status})`, next]);
});

test('a large file is assembled from all its chunks', async () => {
  const piece = new Uint8Array(3 * 1024 * 1024).map((_, index) => index);
  const seen: number[] = [];
  fetched.mockResolvedValue(
    new Response(new Blob([piece, piece, piece, piece]).stream(), { headers: versioned }),
  );
  const now = vi.spyOn(performance, 'now');
  let clock = 0;
  now.mockImplementation(() => (clock += 1_000));
  await downloadAuthenticatedFile(file, { onProgress: ({ received }) => seen.push(received) });
  const bytes = Buffer.from((await blobs[0]?.arrayBuffer()) ?? new ArrayBuffer());
  expect(bytes.equals(Buffer.concat([piece, piece, piece, piece]))).toBe(true);
  expect([seen[0], seen.at(-1)]).toEqual([0, bytes.length]);
});
