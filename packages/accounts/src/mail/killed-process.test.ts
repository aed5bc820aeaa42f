/** Mails of processes that are killed, and of several that send at once. The mail server is a double on loopback. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { hasPostgres, postgresDatabases } from '@gatehouse/store/testing/postgres-server';
import { mailingStore } from '../../test/mailing-site.ts';
import { startSmtpDouble } from '../../test/smtp-double.ts';
import type { AccountTables } from '../tables.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** @param ahead milliseconds of its clock. */
async function startProcess(url: string, smtpUrl: string, count = 0, ahead = 0) {
  const program = 'packages/accounts/test/mail-process.ts';
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', program, url, smtpUrl, `${count}`, `${ahead}`],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  onTestFinished(kill);
  await Promise.race([once(child.stdout, 'data'), exited]);
  expect(child.exitCode).toBeNull();
  return { kill };
}

async function waiting(url: string): Promise<number> {
  await mailingStore.openStore({ url });
  const rows = await mailingStore
    .store<AccountTables>()
    .selectFrom('mail_outbox')
    .select('id')
    .execute();
  await mailingStore.closeStore();
  return rows.length;
}

const subjects = (mails: readonly string[]) =>
  mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1] ?? '').sort();

const folder = await mkdtemp(path.join(tmpdir(), 'mails-'));
const smtp = await startSmtpDouble();
afterEach(() => {
  smtp.answers.clear();
  smtp.taken.length = 0;
  smtp.seen.length = 0;
});
afterAll(async () => {
  await smtp.close();
  await rm(folder, { recursive: true });
});

const minute = 60_000;

describe.each([
  ['before the mail server has said anything', 'connection'],
  ['while the mail server takes it', 'end'],
])('a process that is killed %s', (_, moment) => {
  test(
    'leaves its mail to the next one',
    async () => {
      const url = `file:${folder}/${moment}.db`;
      smtp.answers.set(moment, null);
      const { kill } = await startProcess(url, smtp.url, 1);
      await smtp.got(moment);
      await kill();
      smtp.answers.clear();
      expect([await waiting(url), smtp.taken]).toEqual([1, []]);

      const lookedAt = smtp.seen.length;
      const ends = smtp.seen.filter((command) => command === 'end').length;
      const early = await startProcess(url, smtp.url);
      await early.kill();
      // The first one might still be sending it.
      expect(smtp.seen.slice(lookedAt)).toEqual([]);

      await startProcess(url, smtp.url, 0, 5 * minute);
      await smtp.got('end', ends + 1);
      expect(subjects(smtp.taken)).toEqual(['Order 0']);
      expect(smtp.taken[0]).toMatch(/^Message-ID: <[\w-]{36}@site\.example>$/m);
      await expect.poll(() => waiting(url)).toBe(0);
    },
    minute,
  );
});

function severalProcesses(newStore: () => Promise<string>): void {
  test(
    'of several processes, one sends each mail',
    async () => {
      const url = await newStore();
      const count = 40;
      await startProcess(url, smtp.url, count);
      await startProcess(url, smtp.url);
      await startProcess(url, smtp.url);
      await smtp.got('end', count);
      await expect.poll(() => waiting(url)).toBe(0);
      expect(subjects(smtp.taken)).toEqual(
        Array.from({ length: count }, (_, number) => `Order ${number}`).sort(),
      );
    },
    minute,
  );
}

describe('with a file', () => {
  severalProcesses(() => Promise.resolve(`file:${folder}/several.db`));
});

describe.skipIf(!hasPostgres)('with PostgreSQL', async () => {
  if (!hasPostgres) return;
  const databases = await postgresDatabases();
  afterAll(() => databases.stop());
  severalProcesses(() => databases.newDatabase());
});
