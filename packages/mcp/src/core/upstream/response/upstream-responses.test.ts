/** Requests and responses other than JSON, headers in both directions, and errors with a reason. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { failureOf, useService } from '../../../../test/doubles/open-upstream.ts';
import { bytes, endless, json, reset, type Reply } from '../../../testing/upstream-double.ts';
import { errorText } from '../../result/errors.ts';
import { createCredentials } from '../credentials.ts';
import { searchParams } from '../request/query.ts';

const { service, open } = useService();

test('`whole` returns the status and headers of a response [M18]', async () => {
  service.reply(
    json([1], 201, { 'X-Total-Count': '41', link: '</things?page=2>; rel="next"' }),
    (response) => response.writeHead(200, ['x-a', '1', 'x-a', '2']).end('{}'),
  );
  const { call } = open();
  const whole = { whole: true } as const;
  const response = await call(whole);
  expect([response.status, response.body]).toEqual([201, [1]]);
  expect(response.headers.get('x-total-count')).toBe('41');
  expect(response.headers.get('link')).toBe('</things?page=2>; rel="next"');
  expect((await call(whole)).headers.get('x-a')).toBe('1, 2');
});

test.each([
  ['UTF-8 unless told otherwise', 'text/csv', Buffer.from('\uFEFFname\nZoë\n')],
  ['its own charset', 'text/csv; charset="windows-1252"', Buffer.from('name\nZoë\n', 'latin1')],
  ['UTF-8 for a charset that is none', 'text/csv; charset=klingon', Buffer.from('name\nZoë\n')],
])('text is read in %s', async (_, type, sent) => {
  service.reply(bytes(sent, 200, { 'content-type': type }));
  expect(await open().call({ as: 'text', headers: { Accept: 'text/csv' } })).toBe('name\nZoë\n');
  expect(service.requests[0]?.headers.accept).toBe('text/csv');
});

test('bytes are returned unchanged, and any content type is accepted', async () => {
  const sent = Buffer.from([0, 255, 0x89, 13, 10]);
  service.reply(bytes(sent), bytes('', 204));
  const { call } = open();
  expect(Buffer.compare(sent, await call({ as: 'bytes' }))).toBe(0);
  expect(service.requests[0]?.headers.accept).toBe('*/*');
  expect(await call({ as: 'bytes' })).toHaveLength(0);
});

test.each([
  ['gzip', gzipSync],
  ['X-GZIP', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['identity', (text: string) => Buffer.from(text)],
])('a body that is compressed unasked is read by its coding: %s', async (coding, compress) => {
  service.reply(bytes(compress('{"a":1}'), 200, { 'content-encoding': coding }));
  const { call } = open();
  expect(await call()).toEqual({ a: 1 });
  expect(await call({ as: 'text' })).toBe('{"a":1}');
  expect(Buffer.from(await call({ as: 'bytes' })).toString()).toBe('{"a":1}');
  expect(service.requests[0]?.headers).not.toHaveProperty('accept-encoding');
});

test.each([
  ['gzip', 'no gzip', 'The answer is not what its coding says'],
  ['gzip', gzipSync(Buffer.alloc(5 * 1024 * 1024)), 'The answer is too large'],
  ['zstd', '{}', 'The answer has a coding that nobody asked for'],
  ['constructor', '{}', 'The answer has a coding that nobody asked for'],
])('a body of the coding %s that cannot be read is an error', async (coding, body, message) => {
  service.reply(bytes(body, 200, { 'content-encoding': coding }));
  const name = 'UpstreamResponseError';
  expect(await failureOf(open().call())).toMatchObject({ name, message });
});

test('a form, a file with fields, and bytes are sent with their own content types', async () => {
  service.reply(json({}));
  const { call } = open();
  const form = new FormData();
  form.append('note', 'Zoë');
  form.append('file', new File(['a,b\n'], 'a"b.csv', { type: 'text/csv' }));
  const bodies = [
    searchParams({ name: 'a b', expand: ['x'], meta: { k: 'v' } }, { lists: 'brackets' }),
    form,
    new Blob(['# Title\n'], { type: 'text/markdown' }),
    new Uint8Array([1, 2]),
  ];
  for (const body of bodies) await call({ method: 'POST', body });
  const [urlencoded, multipart, blob, raw] = service.requests;
  expect(urlencoded?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
  expect(urlencoded?.body).toBe('name=a+b&expand%5B%5D=x&meta%5Bk%5D=v');
  const [, boundary = ''] =
    /^multipart\/form-data; boundary=(.+)$/.exec(multipart?.headers['content-type'] ?? '') ?? [];
  expect(multipart?.body.split(`--${boundary}`)).toEqual([
    '',
    '\r\nContent-Disposition: form-data; name="note"\r\n\r\nZoë\r\n',
    '\r\nContent-Disposition: form-data; name="file"; filename="a%22b.csv"\r\nContent-Type: text/csv\r\n\r\na,b\n\r\n',
    expect.stringMatching(/^--\s*$/),
  ]);
  expect([blob?.headers['content-type'], blob?.body]).toEqual(['text/markdown', '# Title\n']);
  expect([raw?.headers['content-type'], raw?.body]).toEqual([undefined, '\u0001\u0002']);
});

test('a retried request has the same body', async () => {
  service.reply(json({}, 503, { 'retry-after': '0' }), json({}));
  const body = new FormData();
  body.append('a', '1');
  await open().call({ method: 'POST', body, idempotencyKey: 'k' });
  const [first, second] = service.requests;
  expect(second?.body).toBe(first?.body);
  expect(second?.headers['content-type']).toBe(first?.headers['content-type']);
});

test('lists and objects in a query are encoded in the service’s style', async () => {
  service.reply(json({}));
  const query = { tag: ['a', 'b'], filter: { state: 'open' } };
  await open().call({ query });
  await open({ queryStyle: { lists: 'brackets' } }).call({ query });
  expect(service.requests.map(({ url }) => decodeURIComponent(url))).toEqual([
    '/things?tag=a&tag=b&filter[state]=open',
    '/things?tag[]=a&tag[]=b&filter[state]=open',
  ]);
});

test('a call has headers of its own, but cannot set the credential [M31]', async () => {
  service.reply(json({}));
  const credentials = createCredentials('key', { header: 'X-Api-Key', scheme: '' });
  const { call } = open({ credentials, headers: { 'x-fixed': '1', 'x-both': 'fixed' } });
  const headers = { 'If-Match': '"7"', 'X-Both': 'own', 'x-none': undefined };
  await call({
    method: 'PATCH',
    body: {},
    headers: { ...headers, 'content-type': 'application/merge-patch+json' },
  });
  expect(service.requests[0]?.headers).toMatchObject({
    'if-match': '"7"',
    'x-both': 'own',
    'x-fixed': '1',
    'x-api-key': 'key',
    'content-type': 'application/merge-patch+json',
  });
  expect(service.requests[0]?.headers).not.toHaveProperty('x-none');
  for (const name of ['Authorization', 'cookie', 'x-api-KEY', 'Host', 'transfer-encoding']) {
    const failure = await failureOf(call({ headers: { [name]: 'planted' } }));
    expect(failure).toBeInstanceOf(TypeError);
  }
  expect(service.requests).toHaveLength(1);
});

const refused = 'Error: API request failed with status 422';

test('an explained error has the service’s reason on a line of its own [M32]', async () => {
  service.reply(json({ message: 'The *title* is\n# taken' }, 422));
  const explained = await failureOf(open().call({ explained: [422] }));
  expect(errorText(explained)).toBe(`${refused}\nThe service says: The \\*title\\* is # taken`);
  // Other statuses and other calls have no reason.
  expect(errorText(await failureOf(open().call({ explained: [400] })))).toBe(refused);
  expect(errorText(await failureOf(open().call()))).toBe(refused);
});

test('an explained status with a row in the table keeps that text as the first line [M32]', async () => {
  service.reply(json({ error: 'Your plan ended' }, 403));
  expect(errorText(await failureOf(open().call({ explained: [403] })))).toBe(
    "Error: Permission denied. You don't have access to this resource.\nThe service says: Your plan ended",
  );
});

test('a reason is truncated, and can be in a custom place', async () => {
  service.reply(json({ why: 'x'.repeat(5_000) }, 422));
  const reasonOf = (body: unknown) => (body as { why: string }).why;
  const text = errorText(await failureOf(open({ reasonOf }).call({ explained: [422] })));
  expect(text.length).toBeLessThan(400);
  expect(text).toMatch(/^Error: API request failed with status 422\nThe service says: x+…$/);
});

test.each<[string, Reply]>([
  ['without a body', bytes('', 422)],
  ['with a page', bytes('<h1>planted', 422)],
  ['without end', endless(422)],
  [
    'that breaks off',
    (response, request) => {
      response.writeHead(422, { 'content-length': '100' });
      response.write('{"message":"plan', () => {
        reset(response, request);
      });
    },
  ],
])('an error response %s is still reported with its status', async (_, reply) => {
  service.reply(reply);
  expect(errorText(await failureOf(open().call({ explained: [422] })))).toBe(refused);
});

test('a reason that arrives slowly is not waited for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  service.reply((response) => {
    response.writeHead(422);
    response.write('{');
  });
  const controller = new AbortController();
  const failure = failureOf(open().call({ explained: [422] })).finally(() => {
    controller.abort();
  });
  while (!controller.signal.aborted) {
    await vi.advanceTimersByTimeAsync(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(errorText(await failure)).toBe(refused);
});
