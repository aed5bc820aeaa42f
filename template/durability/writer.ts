/**
 * Writes like a site, without a site: opens the store, and writes to it concurrently until it is killed. Each line on
 * stdout is an acknowledged write, or the reason why one failed. With `forget`, the negative control, it acknowledges
 * a write before it is committed.
 */
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { newId, StoreUnavailable } from '@gatehouse/store';
import { closeStore, openStore, store, type PairTables } from './pairs';

const [url = '', how = 'keep'] = process.argv.slice(2);
const concurrency = 8;
/** Writes to a pipe synchronously, and waits for a slow reader; `fs.writeSync` would fail with EAGAIN. */
const say = (line: string) => process.stdout.write(`${line}\n`);

await openStore({ url, patience: 2_000 });
say('open');
process.once('SIGTERM', () => {
  ending = true;
});
let ending = false;

/** Half of the writes insert two rows in a transaction: both must be stored, or neither. */
async function write(id: string, isPair: boolean): Promise<void> {
  const row = (half: string) => ({
    id: `${id}-${half}`,
    pair: isPair ? id : '',
    words: id.repeat(20),
  });
  const db = store<PairTables>();
  if (!isPair) {
    await db.insertInto('pair').values(row('a')).execute();
    return;
  }
  await db.transaction().execute(async (transaction) => {
    await transaction.insertInto('pair').values(row('a')).execute();
    await transaction.insertInto('pair').values(row('b')).execute();
  });
}

async function writeUntilEnd(index: number): Promise<void> {
  for (let count = 0; !ending; count++) {
    const id = newId();
    // SQLite responds synchronously, so without this the event loop would never get to handle SIGTERM. In a site,
    // requests yield to it.
    await turn();
    try {
      if (how === 'forget') {
        say(`kept ${id}`);
        await pause(20);
      }
      await write(id, (index + count) % 2 === 0);
      if (how !== 'forget') say(`kept ${id}`);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) {
        say(`failed ${String(error)}`);
        throw error;
      }
      say(`retry ${error.reason}`);
      await pause(20);
    }
  }
}

await Promise.all(Array.from({ length: concurrency }, (_, index) => writeUntilEnd(index)));
await closeStore();
