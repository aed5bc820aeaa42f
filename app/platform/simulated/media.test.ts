/** Uploaded files, complete and by range. */
import { createHash } from 'node:crypto';
import { connect } from 'node:net';

import { expect, it } from 'vitest';

import { TICKET_HEADER } from '@gatehouse/simulator';
import { openSimulatedSite } from '~/testing/studio/simulated-site';

const { platform, site } = await openSimulatedSite();

const as = (persona: string) => site.as(platform.sessions.createCookie(persona));
const png = { 'content-type': 'image/png' };

async function keep(persona: string, body: Buffer): Promise<string> {
  const response = await as(persona).call('POST', '/media', body, png);
  expect(response.status).toBe(201);
  return (response.json() as { id: string }).id;
}

it('stores a file, and returns its size and digest', async () => {
  const body = Buffer.alloc(300_000, 7);
  const response = await as('ada').call('POST', '/media', body, png);
  const file = {
    id: expect.stringMatching(/^med_/) as string,
    content_type: 'image/png',
    bytes: 300_000,
    sha256: createHash('sha256').update(body).digest('hex'),
  };
  expect([response.status, response.json()]).toEqual([201, file]);
  expect(platform.state.media.kept()).toEqual([file]);
});

it('serves a file to its owner, complete or by range', async () => {
  const id = await keep('ada', Buffer.from('0123456789'));
  const read = (headers = {}) => as('ada').call('GET', `/media/${id}`, undefined, headers);
  const whole = await read();
  expect([whole.status, whole.text, whole.headers['accept-ranges']]).toEqual([
    200,
    '0123456789',
    'bytes',
  ]);
  const etag = whole.headers.etag ?? '';
  const part = await read({ range: 'bytes=2-4', 'if-range': etag });
  expect([part.status, part.text, part.headers['content-range']]).toEqual([
    206,
    '234',
    'bytes 2-4/10',
  ]);
  expect((await read({ range: 'bytes=2-4', 'if-range': '"another"' })).status).toBe(200);
  const beyond = await read({ range: 'bytes=10-' });
  expect([beyond.status, beyond.headers['content-range']]).toEqual([416, 'bytes */10']);
  expect((await as('bobby').call('GET', `/media/${id}`)).status).toBe(404);
});

it('serves ranges of a picture', async () => {
  platform.state.generations.setDuration(0);
  const { id } = platform.state.generations.submit('ada', 'a fox');
  const headers = { range: 'bytes=1-3' };
  const part = await as('ada').call('GET', `/generations/${id}/output`, undefined, headers);
  expect([part.status, part.text]).toEqual([206, 'PNG']);
});

it('rejects other types and files that are too large', async () => {
  const text = { 'content-type': 'text/html' };
  expect((await as('ada').call('POST', '/media', Buffer.from('x'), text)).status).toBe(415);
  const large = Buffer.alloc(100 * 1024 * 1024 + 1);
  expect((await as('ada').call('POST', '/media', large, png)).status).toBe(413);
  expect(platform.state.media.kept()).toEqual([]);
});

it('stores nothing of an aborted upload', async () => {
  const { ticketFor } = await site.hold(platform.sessions.createCookie('ada'));
  const { hostname, port, host } = new URL(platform.internalUrl);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /media HTTP/1.1\r\nhost: ${host}\r\n${TICKET_HEADER}: ${ticketFor('POST', '/media')}\r\ncontent-type: image/png\r\ncontent-length: 1000\r\n\r\nabc`,
  );
  const calls = () => platform.ledger.calls({ endpoint: 'upload' });
  await expect.poll(calls).toMatchObject([{ outcome: 'pending' }]);
  socket.destroy();
  await expect.poll(calls).toMatchObject([{ outcome: 'aborted', status: null }]);
  expect(platform.state.media.kept()).toEqual([]);
});

it('evicts the oldest files to make room for new ones', async () => {
  const body = Buffer.alloc(90 * 1024 * 1024);
  const ids = [await keep('ada', body), await keep('bobby', body), await keep('ada', body)];
  expect(platform.state.media.kept().map(({ id }) => id)).toEqual(ids.slice(1));
});
