/** The studio's resources: JSON. */
import { expect, test } from 'vitest';
import { startSiteOnPlatform } from '~/testing/site-on-platform';
import { ada, done } from '~/testing/upstream-data';
import { json } from '~/testing/upstream-double';
import { postJson } from '~/testing/whole-site';

const { platform, site, signIn, operations } = await startSiteOnPlatform();

test('another person’s picture is 404, as one that never was [W13] [W20]', async () => {
  signIn();
  platform.on('/generations/theirs', json(404, { error: 'canary' }));
  for (const path of ['/api/generations/theirs', '/api/generations/never-was']) {
    const response = await site.ask(path);
    expect([response.status, await response.text()]).toEqual([404, '{"error":"not_found"}']);
  }
});

test('a list at a cursor the platform does not know says so', async () => {
  signIn();
  platform.on('/generations', json(422, { error: 'canary' }));
  const response = await site.ask('/api/generations?cursor=zzz');
  expect([response.status, await response.json()]).toEqual([422, { error: 'invalid_cursor' }]);
});

test('starts a picture from JSON: 201, with safe data [W20]', async () => {
  signIn();
  const response = await site.ask(
    '/api/generations',
    postJson({ prompt: ' a fox\r\n', model: 'x' }),
  );
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject({ id: 'g1', status: 'running', output: null });
  expect(operations().map(({ body }) => body)).toEqual(['{"prompt":"a fox"}']);
});

test.each([
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data; boundary=x', 415],
  ['application/jsonp', 415],
  ['application/json-patch+json', 415],
  ['text/html, application/json', 415],
  ['', 415],
  ['application/json', 201],
  ['application/json; charset=utf-8', 201],
  ['application/json;charset=utf-8', 201],
  ['APPLICATION/JSON', 201],
])('JSON sent as %j is %i', async (type, status) => {
  signIn();
  const init = postJson({ prompt: 'a fox' }, { 'content-type': type });
  const response = await site.ask('/api/generations', init);
  expect(response.status).toBe(status);
  expect(operations()).toHaveLength(status === 201 ? 1 : 0);
});

test.each([
  ['nothing', ''],
  ['cut JSON', '{"prompt":'],
  ['two values', '{}{}'],
  ['a nested bomb', '['.repeat(50_000)],
])('a body with %s is no JSON: 400, and no operation', async (_, body) => {
  signIn();
  const response = await site.ask('/api/generations', postJson(body));
  expect([response.status, await response.json()]).toEqual([400, { error: 'malformed_json' }]);
  expect(operations()).toHaveLength(0);
});

test.each([
  ['null', 'null'],
  ['a list', '[]'],
  ['a text', '"a fox"'],
  ['no prompt', '{}'],
  ['an empty prompt', { prompt: '' }],
  ['a blank prompt', { prompt: ' \n\t ' }],
  ['an invisible prompt', { prompt: '\u200b' }],
  ['a huge prompt', { prompt: 'x'.repeat(100_000) }],
  ['a control character', { prompt: 'a\u0007' }],
  ['half a character', '{"prompt":"\\ud83e"}'],
  ['a number', { prompt: 7 }],
])('JSON with %s is 422, and no operation', async (_, body) => {
  signIn();
  const response = await site.ask('/api/generations', postJson(body));
  expect([response.status, await response.json()]).toEqual([422, { error: 'invalid_prompt' }]);
  expect(operations()).toHaveLength(0);
});

test.each(['PUT', 'PATCH', 'DELETE'])(
  '%s on a list or a picture is refused, and no operation',
  async (method) => {
    signIn();
    const init = { ...postJson({ prompt: 'a fox' }), method };
    const response = await site.ask('/api/generations', init);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    expect((await site.ask('/api/generations/g1', init)).status).toBe(405);
    expect((await site.ask('/studio', init)).status).toBe(405);
    expect(operations().filter(({ method }) => method !== 'GET')).toHaveLength(0);
  },
);

test.each([
  ['an id', { items: [{ ...done, id: '\ud800' }], next_cursor: null }],
  ['a cursor', { items: [done], next_cursor: '\ud800' }],
])('half a character in %s of the platform’s breaks no list', async (_, list) => {
  platform.on('/user', json(200, ada));
  platform.on('/generations', json(200, list));
  expect((await site.ask('/api/generations')).status).toBe(502);
  expect((await site.ask('/studio')).status).toBe(200);
});
