/** `/api/generations/:id/output.<extension>`: pictures, complete and by range. */
import { expect, test } from 'vitest';
import { checkPlatformUser, createPlatformSdk } from '~/platform.server';
import { startStudioOnPlatform } from '~/testing/studio/studio-on-platform';
import { png } from '~/testing/studio/generation-data';
import { bytes, json } from '@gatehouse/platform/testing/upstream-double';
import { postJson } from '~/testing/whole-site';

const { platform, site, signIn, operations } = await startStudioOnPlatform();

test('the SDK’s address of a picture is a route of this site [W27]', async () => {
  signIn();
  const guard = await checkPlatformUser({});
  if (!guard.ok) throw new Error('The guard did not pass.');
  const { output } = await createPlatformSdk(guard).generations.get('g1');
  const response = await site.send(output?.url ?? '');
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
});

test('another person’s picture is 404, like a missing one [W13] [W20]', async () => {
  signIn();
  platform.on('/generations/theirs/output', json(404, { error: 'canary' }));
  for (const id of ['theirs', 'never-was']) {
    const response = await site.send(`/api/generations/${id}/output.png`);
    expect([response.status, await response.text()]).toEqual([404, '{"error":"not_found"}']);
  }
});

test('a picture’s bytes, type and filename agree [W27]', async () => {
  signIn();
  const response = await site.send('/api/generations/g1/output.png');
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(png.length),
    'content-disposition': 'inline; filename="g1.png"',
  });
  expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), png)).toBe(0);
});

test('a range of a picture is answered with 206, and not compressed [W27]', async () => {
  signIn();
  const headers = { range: 'bytes=1-3' };
  const response = await site.send('/api/generations/g1/output.png', { headers });
  expect(response.status).toBe(206);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store, no-transform',
    'content-length': '3',
    'content-range': `bytes 1-3/${png.length}`,
    'content-type': 'image/png',
  });
  expect(await response.text()).toBe('PNG');
});

test('a range beyond a picture’s end is 416 with its length', async () => {
  signIn();
  const headers = { range: 'bytes=33-' };
  const response = await site.send('/api/generations/g1/output.png', { headers });
  expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */33']);
  expect(await response.json()).toEqual({ error: 'range_not_satisfiable' });
});

test('HEAD of a picture has the headers of a complete GET, ignores ranges, and releases the connection', async () => {
  signIn();
  const init = { method: 'HEAD', headers: { range: 'bytes=1-3' } };
  const response = await site.send('/api/generations/g1/output.png', init);
  expect([response.status, await response.text()]).toEqual([200, '']);
  expect(response.headers.get('content-length')).toBe('33');
  expect(await operations()[0]?.ended).toBeDefined();
});

test.each(['html', 'svg', 'gif', 'constructor'])(
  'the extension .%s is 404, without an operation [W27]',
  async (extension) => {
    signIn();
    const response = await site.send(`/api/generations/g1/output.${extension}`);
    expect([response.status, await response.json()]).toEqual([404, { error: 'not_found' }]);
    expect(operations()).toHaveLength(0);
  },
);

test.each(['jpg', 'webp'])(
  'a PNG is not served with the extension .%s [W27]',
  async (extension) => {
    signIn();
    const response = await site.send(`/api/generations/g1/output.${extension}`);
    expect([response.status, await response.json()]).toEqual([
      502,
      { error: 'upstream_unavailable' },
    ]);
  },
);

test('bytes that are not a picture are not served as one [W27]', async () => {
  signIn();
  platform.on('/generations/g1/output', bytes(200, '<script>', { 'content-type': 'image/png' }));
  expect((await site.send('/api/generations/g1/output.png')).status).toBe(502);
});

test.each([
  'output',
  'output.',
  'output.PNG',
  'output.png.html',
  'x.png',
  'output.png%00',
  '..%2fuser',
])('the file %s is 404, without an operation', async (file) => {
  signIn();
  expect((await site.send(`/api/generations/g1/${file}`)).status).toBe(404);
  expect(operations()).toHaveLength(0);
});

test('a hostile picture id cannot inject a header [W27]', async () => {
  signIn();
  platform.on('*', bytes(200, png));
  const response = await site.send('/api/generations/a%0d%0aset-cookie:x=1%22;%20b/output.png');
  expect(response.status).toBe(200);
  expect(response.headers.get('set-cookie')).toBeNull();
  expect(response.headers.get('content-disposition')).toMatch(/^inline; filename="[^\r\n]+$/);
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
  '%s is refused without an operation',
  async (method) => {
    signIn();
    const init = { ...postJson({ prompt: 'a fox' }), method };
    const response = await site.send('/api/generations/g1/output.png', init);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(operations()).toHaveLength(0);
  },
);
