/** Operations that a site builds into itself: what they import, and how they run in its process. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  createClock,
  definePlatform,
  errorResponse,
  joinResources,
  jsonResponse,
  noContent,
  runInProcess,
  type Operation,
} from './operations.ts';
import { openTestSite } from './testing/test-platform.ts';

const notes = {
  createState: () => ({ texts: [] as string[], news: [] as string[] }),
  operations: [
    {
      name: 'add-note',
      method: 'POST',
      path: '/notes/:shelf',
      once: true,
      maxBytes: 16,
      run({ state, params, body }) {
        if (body.toString() === 'no') return errorResponse(422, 'refused', 'Not that one.');
        state.notes.texts.push(`${params['shelf']}: ${body.toString()}`);
        state.notes.news.push(body.toString());
        return jsonResponse(201, { count: state.notes.texts.length });
      },
    },
    {
      name: 'list-notes',
      method: 'GET',
      path: '/notes',
      run: ({ state }) => jsonResponse(200, state.notes.texts),
    },
    {
      name: 'search-notes',
      method: 'POST',
      path: '/search',
      isRead: true,
      run: () => noContent,
    },
    {
      name: 'note-events',
      method: 'GET',
      path: '/events',
      run: ({ state }) => ({ news: () => state.notes.news.splice(0) }),
    },
  ],
} as const satisfies { createState: () => unknown; operations: readonly Operation<State>[] };

interface State {
  notes: { texts: string[]; news: string[] };
}

const personaOf = (id: string) => ({
  id,
  purpose: 'Writes notes',
  colour: '#0f766e',
  credits: 0,
  profile: { id },
});

const joined = joinResources({ notes });

function open() {
  const handle = runInProcess({ notes }, { personaOf, people: 2, arrivingBytes: 32 });
  const send = (person: string, path: string, init: RequestInit = {}) =>
    handle(new Request(`http://platform.invalid${path}`, init), person);
  return {
    send,
    add: (person: string, body: string, key: string = randomUUID()) =>
      send(person, '/notes/desk', { method: 'POST', body, headers: { 'idempotency-key': key } }),
    textsOf: async (person: string) => (await send(person, '/notes')).json() as Promise<string[]>,
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Every module that a file loads, and the names of the packages among them. */
function importsOf(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const code = readFileSync(file, 'utf8');
  for (const [, name = ''] of code.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)'/gm)) {
    if (name.startsWith('.')) importsOf(path.join(path.dirname(file), name), seen);
    else seen.add(name);
  }
  return seen;
}

it.each(['operations.ts', 'samples/index.ts'])('%s imports no server and no browser', (entry) => {
  const all = [...importsOf(path.join(import.meta.dirname, entry))];
  const packages = all.filter((name) => !path.isAbsolute(name));
  const pure = ['node:crypto', 'node:zlib', 'pngjs', 'range-parser', 'zod'];
  expect(packages.filter((name) => !pure.includes(name))).toEqual([]);
  expect(packages.length).toBeGreaterThan(0);
});

it('keeps the state of each person apart, and gives an unknown path a 404', async () => {
  const { add, send, textsOf } = open();
  expect(await (await add('ada', 'one')).json()).toEqual({ count: 1 });
  expect([await textsOf('ada'), await textsOf('bobby')]).toEqual([['desk: one'], []]);
  expect((await send('ada', '/note')).status).toBe(404);
  expect((await send('ada', '/notes', { method: 'PUT' })).status).toBe(404);
});

it('forgets the person who was seen least recently, and first those who changed nothing', async () => {
  const { add, send, textsOf } = open();
  await add('ada', 'one');
  for (const passing of ['p1', 'p2', 'p3']) {
    await textsOf(passing);
    await send(passing, '/search', { method: 'POST' });
    await add(passing, 'no');
  }
  expect(await textsOf('ada')).toEqual(['desk: one']);
  await add('bobby', 'two');
  await add('cleo', 'three');
  expect([await textsOf('ada'), await textsOf('cleo')]).toEqual([[], ['desk: three']]);
});

it('reads no more of a body than its operation takes, nor than may arrive at once', async () => {
  const { add, send } = open();
  expect((await add('ada', 'x'.repeat(17))).status).toBe(413);
  const stop = new AbortController();
  const stalled = () =>
    send('ada', '/notes/desk', {
      method: 'POST',
      duplex: 'half',
      body: new ReadableStream({
        start(controller) {
          controller.enqueue(Buffer.alloc(16));
          stop.signal.addEventListener('abort', () => {
            controller.error(new Error('left'));
          });
        },
      }),
    });
  const arriving = Promise.allSettled([stalled(), stalled()]);
  await expect.poll(async () => (await add('ada', 'y')).status).toBe(429);
  stop.abort();
  expect((await arriving).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await add('ada', 'y')).status).toBe(201);
});

it('sends events until the stream is cancelled', async () => {
  const { add, send } = open();
  await add('ada', 'early');
  const events = (await send('ada', '/events')).body?.getReader();
  const next = async () => Buffer.from((await events?.read())?.value ?? []).toString();
  expect(await next()).toBe('data: "early"\n\n');
  await add('ada', 'late');
  await vi.advanceTimersByTimeAsync(200);
  expect(await next()).toBe('data: "late"\n\n');
  await events?.cancel();
  expect(vi.getTimerCount()).toBe(0);
});

it('runs an operation once per idempotency key, and refuses the key to another request', async () => {
  const { add, textsOf } = open();
  const first = await add('ada', 'one', 'k1');
  const again = await add('ada', 'one', 'k1');
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(await again.json()).toEqual(await first.json());
  const other = await add('ada', 'two', 'k1');
  expect([other.status, await other.json()]).toMatchObject([
    409,
    { error: 'idempotency_key_reused' },
  ]);
  // A refusal is no result: the key stays free.
  await add('ada', 'no', 'k2');
  expect((await add('ada', 'two', 'k2')).status).toBe(201);
  expect((await add('bobby', 'two', 'k1')).status).toBe(201);
  expect(await textsOf('ada')).toEqual(['desk: one', 'desk: two']);
});

const { platform, site } = await openTestSite(
  definePlatform({ personas: [personaOf('ada')], ...joined }),
);

it('does the same over HTTP, and forgets the keys at a reset', async () => {
  const as = () => site.as(platform.sessions.createCookie('ada'));
  const add = (text: string) =>
    as().call('POST', '/notes/desk', Buffer.from(text), { 'idempotency-key': 'k1' });
  expect((await add('one')).json()).toEqual({ count: 1 });
  expect((await add('one')).json()).toEqual({ count: 1 });
  expect((await add('two')).status).toBe(409);
  await platform.reset();
  expect((await add('two')).json()).toEqual({ count: 1 });
});

it('gives each state its own clock and resources', () => {
  const clock = createClock();
  const parts = { clock, personas: null as never };
  expect(joined.createState(parts)).toEqual({ notes: { texts: [], news: [] } });
  expect(joined.createState(parts).notes).not.toBe(joined.createState(parts).notes);
});

it('keeps in the demo what a resource keeps there', async () => {
  const createDemoState = () => ({ texts: ['of the demo'], news: [] });
  const handle = runInProcess(
    { notes: { ...notes, createDemoState } },
    { personaOf, people: 2, arrivingBytes: 32 },
  );
  const response = await handle(new Request('http://platform.invalid/notes'), 'ada');
  expect(await response.json()).toEqual(['of the demo']);
});
