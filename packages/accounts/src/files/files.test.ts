/** Files of members on both databases. */
import { afterAll, describe, expect, test } from 'vitest';
import { hasPostgres, postgresDatabases } from '@gatehouse/store/testing/postgres-server';
import {
  requestWith,
  mebi,
  pictureOf,
  png,
  storeOfFiles,
  streamOf,
} from './testing/member-files.ts';

/** Ends with an error after some bytes, as when the visitor leaves. */
function brokenOff(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) controller.error(new Error('The visitor has left.'));
      else controller.enqueue(bytes);
      sent = true;
    },
  });
}

function suite(address?: () => Promise<string>): void {
  const { db, define, member, left } = storeOfFiles(address);
  const files = define();
  test('a file comes back byte for byte, with the type of its bytes and a name without folders', async () => {
    const ada = await member();
    const bytes = pictureOf(700_001);
    const kept = await files.keep(ada, { name: 'C:\\photos/a\r\n.html', bytes: streamOf(bytes) });
    expect(kept).toMatchObject({ name: 'a.png', type: 'image/png', size: 700_001 });
    expect(await files.list(ada)).toEqual([kept]);
    const response = await files.respond(requestWith(), ada, kept.id);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': '700001',
      'content-disposition': 'inline; filename="a.png"',
      'cache-control': 'private, no-store, no-transform',
      'x-content-type-options': 'nosniff',
    });
  });

  test('another member’s file is neither found, read nor removed, nor one of another kind', async () => {
    const [ada, eve] = [await member(), await member()];
    const { id } = await files.keep(ada, { name: 'a.png', bytes: streamOf(pictureOf(100)) });
    expect((await files.respond(requestWith(), eve, id)).status).toBe(404);
    expect(await files.remove(eve, id)).toBe(false);
    expect(await files.list(eve)).toEqual([]);
    expect((await define({ kind: 'other' }).respond(requestWith(), ada, id)).status).toBe(404);
    expect(await files.remove(ada, id)).toBe(true);
    expect((await files.respond(requestWith(), ada, id)).status).toBe(404);
    expect(await left(ada)).toEqual([0, 0]);
  });

  test('what is no id names no file, and is no query', async () => {
    const ada = await member();
    const { id } = await files.keep(ada, { name: 'a.png', bytes: streamOf(pictureOf(100)) });
    const tricks = [`../${id}`, `${id}\0`, '\0', `${id}' or '1'='1`, '%', id.toUpperCase(), ''];
    for (const trick of tricks) {
      if (trick === id) continue;
      expect((await files.respond(requestWith(), ada, trick)).status, trick).toBe(404);
      expect(await files.remove(ada, trick), trick).toBe(false);
    }
    expect(await files.list(ada)).toHaveLength(1);
  });

  test('ranges over the seam of chunks are exact, HEAD has no body, and what cannot be met is a 416', async () => {
    const ada = await member();
    const bytes = pictureOf(600_000);
    bytes.writeUInt32BE(0xdeadbeef, 256 * 1024 - 2);
    const { id } = await files.keep(ada, { name: 'a.png', bytes: streamOf(bytes) });
    const part = async (range: string, more = {}) => {
      const response = await files.respond(requestWith({ range, ...more }), ada, id);
      const body = Buffer.from(await response.arrayBuffer());
      const given = response.headers.get('content-range');
      return { status: response.status, body, given, etag: response.headers.get('etag') ?? '' };
    };
    const seam = await part('bytes=262142-262145');
    expect([seam.status, seam.given]).toEqual([206, 'bytes 262142-262145/600000']);
    expect(seam.body.toString('hex')).toBe('deadbeef');
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 1],
      ['bytes=599999-', 599_999, 600_000],
      ['bytes=524288-99999999999999999999', 524_288, 600_000],
      ['bytes=-5', 599_995, 600_000],
      ['bytes=-9999999', 0, 600_000],
    ] as const) {
      const { status, body } = await part(range);
      expect([status, body.equals(bytes.subarray(start, end))], range).toEqual([206, true]);
    }
    for (const range of ['bytes=600000-', 'bytes=-0', 'bytes=99999999999999999999-']) {
      const { status, given, body } = await part(range);
      expect([status, given, body.length], range).toEqual([416, 'bytes */600000', 0]);
    }
    for (const range of [
      'bytes=5-2',
      'bytes=0-1,3-4',
      `bytes=${'0-,'.repeat(5_000)}0-`,
      'bytes=-',
      'lines=1-2',
      'bytes= 0-1',
    ]) {
      const { status, body } = await part(range);
      expect([status, body.length], range).toEqual([200, 600_000]);
    }
    expect((await part('bytes=0-0', { 'if-range': seam.etag })).status).toBe(206);
    expect((await part('bytes=0-0', { 'if-range': '"other"' })).status).toBe(200);
    const head = await files.respond(requestWith({ range: 'bytes=0-0' }, 'HEAD'), ada, id);
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      '600000',
      '',
    ]);
  });

  test.each([
    ['of another type, whatever it is called', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a page behind a picture’s name', '<!doctype html><script>alert(1)</script>'],
    ['an empty one', ''],
  ])('%s is refused with 415, and nothing is kept', async (_, text) => {
    const ada = await member();
    const bytes = new Blob([text]).stream();
    await expect(files.keep(ada, { name: 'a.png', bytes })).rejects.toMatchObject({ status: 415 });
    expect(await left(ada)).toEqual([0, 0]);
  });

  test('one that is too large is refused while it arrives, and its stream is cancelled', async () => {
    const ada = await member();
    let sent = 0;
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(sent === 0 ? pictureOf(mebi) : Buffer.alloc(mebi));
        sent += mebi;
      },
      cancel: () => void (cancelled = true),
    });
    await expect(files.keep(ada, { name: 'a', bytes: endless })).rejects.toMatchObject({
      code: 'file_too_large',
    });
    expect([cancelled, sent <= 7 * mebi]).toEqual([true, true]);
    expect(await left(ada)).toEqual([0, 0]);
  });

  test('two uploads at once do not both take the last room', async () => {
    const ada = await member();
    const give = () => files.keep(ada, { name: 'a', bytes: streamOf(pictureOf(3.5 * mebi)) });
    const results = await Promise.allSettled([give(), give()]);
    const kept = results.filter(({ status }) => status === 'fulfilled');
    expect(kept.length).toBeLessThanOrEqual(1);
    const sizes = await files.list(ada);
    expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(6 * mebi);
    const few = define({ room: { bytes: mebi, files: 3 } });
    const eve = await member();
    const tries = Array.from({ length: 6 }, () =>
      few.keep(eve, { name: 'a', bytes: streamOf(pictureOf(50)) }),
    );
    const many = await Promise.allSettled(tries);
    expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await left(eve)).toEqual([3, 3]);
  });

  test('an upload that breaks off half way leaves nothing', async () => {
    const ada = await member();
    const bytes = brokenOff(pictureOf(mebi));
    await expect(files.keep(ada, { name: 'a', bytes })).rejects.toThrow('The visitor has left.');
    expect(await left(ada)).toEqual([0, 0]);
  });

  test('what a killed process left is never seen, and the next upload after its time deletes it', async () => {
    const [ada, eve] = [await member(), await member()];
    const picture = { type: 'image/png', width: 1, height: 1, sha256: null };
    const row = { account_id: ada, kind: 'file', name: 'a', ...picture };
    for (const [id, age] of [
      ['long ago', 11],
      ['a moment ago', 1],
    ] as const) {
      const at = new Date(Date.now() - age * 60_000);
      const times = { created_at: at, touched_at: at };
      const file = { ...row, id: `${id} ${ada}`, size: 33, state: 'arriving' as const, ...times };
      await db().insertInto('account_file').values(file).execute();
      const chunk = { file_id: file.id, account_id: ada, number: 0, bytes: png() };
      await db().insertInto('account_file_chunk').values(chunk).execute();
      expect((await files.respond(requestWith(), ada, file.id)).status).toBe(404);
    }
    expect(await files.list(ada)).toEqual([]);
    await files.keep(eve, { name: 'a', bytes: streamOf(pictureOf(50)) });
    expect(await left(ada)).toEqual([1, 1]);
  });

  test('what a page of another account sends is refused before a byte of it is read', async () => {
    const ada = await member();
    let taken = 0;
    const body = new ReadableStream({ pull: () => void (taken += 1) }, { highWaterMark: 0 });
    const init = Object.assign({ method: 'POST', body }, { duplex: 'half' as const });
    const request = new Request('https://site.example/api/files?account=other', init);
    expect((await files.receive({ id: ada }, request)).status).toBe(409);
    expect(taken).toBe(0);
    const own = new Request(`https://site.example/api/files?name=b.png&account=${ada}`, {
      method: 'POST',
      body: pictureOf(40),
      headers: { 'content-type': 'text/html' },
    });
    const response = await files.receive({ id: ada }, own);
    expect([response.status, await response.json()]).toEqual([
      201,
      expect.objectContaining({ name: 'b.png', type: 'image/png', size: 40 }),
    ]);
  });
}

describe('on a file store', () => {
  suite();
});

describe.skipIf(!hasPostgres)('on PostgreSQL', async () => {
  if (!hasPostgres) return;
  const databases = await postgresDatabases();
  afterAll(() => databases.stop());
  suite(() => databases.newDatabase());
});
