/**
 * `npm run bench`, second part: site accounts and notes on both stores. Compares how many sign-ins per second the built
 * site serves with verifying a password alone, and list and write requests with bare Kysely queries for the same rows.
 * Measures how list queries slow down as the table grows.
 * It never fails on a result. Loopback only.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';
import { hashPassword, verifyPassword } from '@gatehouse/accounts/hashing';
import { readCursor } from '~/notes/stored/cursor.server';
import { addNotes } from '~/notes/stored/bulk.server';
import { listNotes, listTags } from '~/notes/stored/list.server';
import type { NoteTables } from '~/notes/tables.server';
import { newId } from '@gatehouse/store';
import { closeStore, openStore, store } from '~/store.server';
import { hasPostgres, postgresDatabases } from '@gatehouse/store/testing/postgres-server';
import { median, startArguments, startServer, stopServers } from './measures';

const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);
const connections = Number(process.env['BENCH_CONNECTIONS'] ?? 8);
const sizes = (process.env['BENCH_NOTES'] ?? '100,1000,10000,100000').split(',').map(Number);

const folder = await mkdtemp(path.join(tmpdir(), 'bench-notes-'));
/** A platform that responds at once: calls to an unreachable one would be retried, and add to the measured time. */
const platform = await startServer('The platform', ['template/bench/upstream.mjs']);
const databases = hasPostgres ? await postgresDatabases() : undefined;
try {
  await measure('file', () => Promise.resolve(`file:${path.join(folder, `${newId()}.db`)}`));
  if (databases) await measure('PostgreSQL', () => databases.newDatabase());
} finally {
  await stopServers();
  await databases?.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(kind: string, address: () => Promise<string>): Promise<void> {
  const url = await address();
  const person = { email: 'ada@example.org', password: 'a long pass phrase' };
  const site = await startServer('The site', startArguments, {
    PLATFORM_INTERNAL_URL: platform.url,
    DATABASE_URL: url,
  });
  const siteRates: Record<string, number> = {};
  try {
    const cookie = await signIn(site.url, person);
    const page = await (await fetch(`${site.url}/notes`, { headers: { cookie } })).text();
    const [, account = ''] = /name="account" value="([^"]+)"/.exec(page) ?? [];
    const headers = { cookie, origin: site.url };
    siteRates['write'] = await rateOf(site.url, {
      method: 'POST',
      path: '/notes.data',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      setupRequest: (request) => ({
        ...request,
        body: new URLSearchParams({ account, id: newId(), intent: 'add', ...words() }).toString(),
      }),
    });
    siteRates['list'] = await rateOf(site.url, { path: '/notes', headers });
    siteRates['sign-in'] = await rateOf(site.url, {
      method: 'POST',
      path: '/sign-in',
      headers: { origin: site.url, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(person).toString(),
    });
  } finally {
    await site.stop();
  }

  await openStore({ url, statementTimeout: 60_000 });
  try {
    const db = store<NoteTables & { account: { id: string } }>();
    const { id: owner } = await db.selectFrom('account').select('id').executeTakeFirstOrThrow();
    const hash = await hashPassword(person.password);
    const bare = {
      'sign-in': await callRateOf(() => verifyPassword({ hash, password: person.password })),
      write: await callRateOf(() =>
        db
          .insertInto('note')
          .values({ ...words(), ...rowOf(owner) })
          .execute(),
      ),
      list: await callRateOf(() =>
        db
          .selectFrom('note')
          .selectAll()
          .where('account_id', '=', owner)
          .where('deleted_at', 'is', null)
          .orderBy('pinned', 'desc')
          .orderBy('updated_at', 'desc')
          .limit(20)
          .execute(),
      ),
    };
    console.log(
      `\nAccounts and notes on ${kind}: operations per second, ${connections} concurrent`,
    );
    console.table(
      Object.fromEntries(
        (['list', 'write', 'sign-in'] as const).map((what) => [
          what,
          {
            'through the site': Math.round(siteRates[what] ?? 0),
            'bare Kysely, or the hash alone': Math.round(bare[what]),
          },
        ]),
      ),
    );
    await reportGrowth(kind, owner);
  } finally {
    await closeStore();
  }
}

/** Reports how long the list page's queries take, in milliseconds, by the number of notes that the account has. */
async function reportGrowth(kind: string, owner: string): Promise<void> {
  const db = store<NoteTables>();
  await db.deleteFrom('note').execute();
  const rows: Record<string, Record<string, string>> = {};
  let count = 0;
  for (const size of sizes) {
    for (; count < size; count += 1_000) {
      const notes = Array.from({ length: Math.min(1_000, size - count) }, (_, at) => ({
        ...words(),
        tags: at % 10 === 0 ? ['tenth'] : [],
        pinned: false,
        updatedAt: new Date(Date.UTC(2020, 0, 1) + (count + at) * 60_000).toISOString(),
      }));
      await addNotes(owner, notes);
    }
    count = size;
    const all = { query: '', tag: '', cursor: null };
    const { nextCursor } = await listNotes(owner, all);
    const queries = {
      'first page': () => listNotes(owner, all),
      'next page': () => listNotes(owner, { ...all, cursor: readCursor(nextCursor ?? '') }),
      'all tags': () => listTags(owner),
      'a tag': () => listNotes(owner, { ...all, tag: 'tenth' }),
      'a common word': () => listNotes(owner, { ...all, query: 'w1' }),
      'no such word': () => listNotes(owner, { ...all, query: 'absent' }),
    };
    const row: Record<string, string> = {};
    for (const [what, run] of Object.entries(queries)) {
      row[what] = (await medianTime(run)).toFixed(1);
    }
    rows[size.toLocaleString('en')] = row;
  }
  console.log(`\nList queries on ${kind}: ms by number of notes`);
  console.table(rows);
}

async function medianTime(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 7; round++) {
    const began = performance.now();
    await run();
    times.push(performance.now() - began);
  }
  return median(times);
}

/** Calls per second, with `connections` of them concurrent. */
async function callRateOf(call: () => Promise<unknown>): Promise<number> {
  const end = performance.now() + seconds * 1_000;
  let calls = 0;
  const caller = async () => {
    for (; performance.now() < end; calls++) await call();
  };
  await Promise.all(Array.from({ length: connections }, caller));
  return calls / seconds;
}

/** Responses per second, once a first load has compiled the code. */
async function rateOf(url: string, request: autocannon.Request): Promise<number> {
  const options = { url, connections, duration: seconds, requests: [request] };
  await autocannon(options);
  const load = await autocannon(options);
  const failed = load['4xx'] + load['5xx'] + load.errors;
  if (failed > 0) throw new Error(`${request.path ?? '/'}: ${failed} requests failed.`);
  return load.requests.average;
}

/** A note of 80 random words, with frequencies skewed like those of natural text. */
function words(): { title: string; text: string } {
  const some = Array.from({ length: 80 }, () => `w${Math.floor(Math.random() ** 3 * 10_000)}`);
  return { title: some.slice(0, 3).join(' '), text: some.join(' ') };
}

function rowOf(owner: string) {
  const now = new Date();
  return {
    id: newId(),
    account_id: owner,
    search_text: '',
    pinned: false,
    version: 1,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  };
}

async function signIn(url: string, person: { email: string; password: string }): Promise<string> {
  const post = (where: string, fields: Record<string, string>) =>
    fetch(url + where, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: url },
      body: new URLSearchParams(fields),
    });
  await post('/sign-up', { name: 'Ada', ...person });
  // The account is created after the response to /sign-up, so sign-in may have to wait for it.
  for (let attempt = 0; attempt < 100; attempt++) {
    const [cookie] = (await post('/sign-in', person)).headers.getSetCookie();
    if (cookie !== undefined) return cookie.replace(/;.*/, '');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('Could not sign in.');
}
