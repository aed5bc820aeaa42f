/** Events of pending generations, which end with them and with the session. */
import { expect, test } from 'vitest';
import { startStudioOnPlatform } from '~/testing/studio/studio-on-platform';
import { ada } from '~/testing/platform/platform-with-ada';
import { done, png, running } from '~/testing/studio/generation-data';
import { file, json, type Reply } from '@gatehouse/platform/testing/upstream-double';
import { archiveUrl } from '../feed/archive';

const { platform, site, signIn, signOut, operations } = await startStudioOnPlatform();

/** The platform sends events for one generation, then nothing more. */
const telling =
  (...values: object[]): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const value of values) response.write(`data: ${JSON.stringify(value)}\n\n`);
  };

/** Lists these as pending, each time the next ones, and at last none. */
const listPending = (...pages: object[][]) => {
  platform.on('/generations', (response, request) => {
    const items = pages.shift() ?? [];
    json(200, { items, next_cursor: items.length === 24 ? 'older' : null })(response, request);
  });
};

const listen = () => site.send('/api/generations/events');

test('without pending generations the event stream is 204', async () => {
  signIn();
  platform.on('/generations', json(200, { items: [], next_cursor: null }));
  expect((await listen()).status).toBe(204);
  expect(operations()).toHaveLength(1);
});

test('changes are sent until the last generation finishes, over one upstream stream, each after a new guard check [W09 W20]', async () => {
  signIn();
  listPending([running]);
  platform.on(
    '/generations/events',
    telling({ ...running, internal_trace: 'canary' }, { ...done, internal_trace: 'canary' }),
  );
  const response = await listen();
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('cache-control')).toContain('no-store');
  const text = await response.text();
  expect(text).toContain('event: generation\ndata: {"id":"g1"');
  expect(text).toContain('"status":"succeeded"');
  expect(text).not.toContain('canary');
  expect(text.endsWith('event: end\ndata: done\n\n')).toBe(true);
  expect(platform.to('/user')).toHaveLength(2);
  const [upstream, ...others] = platform.to('/generations/events');
  expect(others).toEqual([]);
  expect(await upstream?.ended).toBe('cut');
});

test('a generation that finished before the stream opened is still reported', async () => {
  signIn();
  listPending([running]);
  platform.on('/generations/events', telling());
  platform.on('/generations/g1', json(200, done));
  const text = await (await listen()).text();
  expect(text).toContain('"status":"succeeded"');
  expect(text.endsWith('event: end\ndata: done\n\n')).toBe(true);
});

test('generations beyond the first page are waited for, too, until none is pending', async () => {
  signIn();
  const first = Array.from({ length: 24 }, (_, at) => `g${at}`);
  const late = 'late';
  listPending(
    first.map((id) => ({ ...running, id })),
    [{ ...running, id: late }],
  );
  platform.on('/generations/events', (response, request) => {
    telling(...first.map((id) => ({ ...done, id })))(response, request);
    void expect
      .poll(() => platform.to('/generations').length)
      .toBe(2)
      .then(() => response.write(`data: ${JSON.stringify({ ...done, id: late })}\n\n`));
  });
  const text = await (await listen()).text();
  expect(text).toContain('"id":"late"');
  expect(text.endsWith('event: end\ndata: done\n\n')).toBe(true);
  expect(platform.to('/generations')).toHaveLength(3);
});

test('the stream is lost, not done, when the pending generations cannot be listed again', async () => {
  signIn();
  platform.on('/generations', (response, request) => {
    const isFirst = platform.to('/generations').length === 1;
    json(isFirst ? 200 : 503, { items: [running], next_cursor: null })(response, request);
  });
  platform.on('/generations/events', telling(done));
  const text = await (await listen()).text();
  expect(text).toContain('"status":"succeeded"');
  expect(text.endsWith('event: end\ndata: lost\n\n')).toBe(true);
});

test('a generation that was deleted before the stream opened is not waited for', async () => {
  signIn();
  listPending([running]);
  platform.on('/generations/events', telling({ ...running, id: 'g2' }, { ...done, id: 'g2' }));
  platform.on('/generations/g1', json(404, { error: 'not_found' }));
  const text = await (await listen()).text();
  expect(text.endsWith('event: end\ndata: done\n\n')).toBe(true);
});

test('nothing is sent to a session that has ended [W09 W13]', async () => {
  signIn();
  platform.on('/generations', json(200, { items: [running], next_cursor: null }));
  platform.on('/generations/events', telling(done));
  const response = await listen();
  signOut();
  const text = await response.text();
  expect(text).not.toContain('g1');
  expect(text.endsWith('event: end\ndata: unauthorized\n\n')).toBe(true);
});

test('the upstream stream is aborted when the visitor disconnects', async () => {
  signIn();
  platform.on('/generations', json(200, { items: [running], next_cursor: null }));
  platform.on('/generations/events', telling());
  const reader = (await listen()).body?.getReader();
  await reader?.read();
  const requested = await expect
    .poll(() => platform.to('/generations/events').at(0))
    .toBeDefined()
    .then(() => platform.to('/generations/events')[0]);
  await reader?.cancel();
  expect(await requested?.ended).toBe('cut');
});

test('a visitor holds two streams at most: a third is 204, until one is closed', async () => {
  signIn();
  platform.on('/generations', json(200, { items: [running], next_cursor: null }));
  platform.on('/generations/events', telling());
  const first = await listen();
  const second = await listen();
  const statuses = [first, second, await listen()].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 204]);

  platform.on('/user', json(200, { ...ada, id: 'another' }));
  const other = await listen();
  expect(other.status).toBe(200);

  signIn();
  platform.on('/generations', json(200, { items: [running], next_cursor: null }));
  await first.body?.cancel();
  await expect.poll(listen).toMatchObject({ status: 200 });
  for (const { body } of [second, other]) await body?.cancel();
});

test('visitors whose profile identifies nobody do not share a limit', async () => {
  signIn();
  platform.on('/user', json(200, {}));
  platform.on('/generations', json(200, { items: [running], next_cursor: null }));
  platform.on('/generations/events', telling());
  const streams = [await listen(), await listen(), await listen()];
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const { body } of streams) await body?.cancel();
});

test('an id may contain a comma and slashes: an archive keeps all files in one folder', async () => {
  signIn();
  const id = '../g1,g2&id=3';
  platform.on(`/generations/${encodeURIComponent(id)}`, json(200, { ...done, id }));
  platform.on(
    `/generations/${encodeURIComponent(id)}/output`,
    file(png, { 'content-type': 'image/png' }),
  );
  const response = await site.send(archiveUrl([id]));
  const zip = Buffer.from(await response.arrayBuffer()).toString('latin1');
  expect([response.status, zip.split('.._g1,g2&id=3.png').length]).toEqual([200, 3]);
  expect(zip).not.toContain('../');
});

test('several outputs are downloaded as one file, complete or not at all [W27]', async () => {
  signIn();
  const archive = (...ids: string[]) => site.send(archiveUrl(ids));
  const response = await archive('g1', 'g1');
  expect(response.headers.get('content-type')).toBe('application/zip');
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="generations.zip"',
  );
  const zip = Buffer.from(await response.arrayBuffer());
  expect(zip.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04');
  expect(zip.toString('latin1').split('g1.png')).toHaveLength(3);

  expect((await archive()).status).toBe(422);
  expect((await archive('')).status).toBe(422);
  expect((await archive(...Array.from({ length: 51 }, (_, index) => `${index}`))).status).toBe(422);
  expect((await archive('g1', 'g2')).status).toBe(404);
  platform.on('/generations/g1', json(200, running));
  expect((await archive('g1')).status).toBe(409);
  platform.on('/generations/g1', json(200, done));
  platform.on('/generations/g1/output', json(500, {}));
  await expect((await archive('g1')).arrayBuffer()).rejects.toThrow();
});
