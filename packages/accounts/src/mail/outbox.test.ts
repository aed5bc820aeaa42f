/** Mails that wait in the store, on both databases. */
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { mailingSite, mailingStore, settings } from '../../test/mailing-site.ts';
import { onEachStore } from '../../test/site-on-store.ts';
import { startSmtpDouble } from '../../test/smtp-double.ts';
import type { AccountTables } from '../tables.ts';

vi.mock('../costs.ts', () => import('../testing/low-costs.ts'));

const smtp = await startSmtpDouble();
afterAll(() => smtp.close());

const logged: [level: string, fields: object, message: string][] = [];
const log = {
  warn: (fields: object, message: string) => void logged.push(['warn', fields, message]),
  error: (fields: object, message: string) => void logged.push(['error', fields, message]),
};

let current = settings(smtp.url);
const site = mailingSite(() => current, log);

const hello = {
  to: 'ada@example.org',
  replyTo: 'eve@example.org',
  subject: 'A secret plan',
  paragraphs: ['Hello.', { href: 'https://site.example/plans?token=zq7', label: 'The plan' }],
};

function suite(): void {
  const db = () => mailingStore.store<AccountTables>();
  const waiting = () => db().selectFrom('mail_outbox').selectAll().execute();

  /** As the rounds of a server do. */
  async function sendDue(): Promise<void> {
    site.startBackgroundWork();
    await site.finishBackgroundWork();
  }

  beforeEach(async () => {
    await site.finishBackgroundWork();
    await db().deleteFrom('mail_outbox').execute();
    current = settings(smtp.url);
    smtp.answers.clear();
    smtp.taken.length = 0;
    logged.length = 0;
  });

  test('a mail is sent as text and as HTML, and is then no longer in the store', async () => {
    expect(await site.sendMail(hello)).toBe(true);
    await site.finishBackgroundWork();
    const [mail = ''] = smtp.taken;
    expect(mail).toContain('To: ada@example.org');
    expect(mail).toContain('Reply-To: eve@example.org');
    expect(mail).toContain('The plan:\nhttps://site.example/plans?token=zq7');
    expect(mail).toContain('Content-Type: text/html');
    expect([await waiting(), logged]).toEqual([[], []]);
  });

  test('a transaction that is rolled back sends nothing, and one that is committed does', async () => {
    const kept = db()
      .transaction()
      .execute(async (transaction) => {
        await site.sendMail(hello, transaction);
        throw new Error('It did not work out.');
      });
    await expect(kept).rejects.toThrow('It did not work out.');
    await sendDue();
    expect(smtp.taken).toEqual([]);
    await db()
      .transaction()
      .execute((transaction) => site.sendMail(hello, transaction));
    await sendDue();
    expect(smtp.taken).toHaveLength(1);
  });

  test('in the store a mail is sealed: neither an address nor a word can be read', async () => {
    smtp.answers.set('connection', '421 later');
    await site.sendMail(hello);
    const [row] = await waiting();
    expect(Object.keys(row ?? {}).sort()).toEqual([
      'attempts',
      'created_at',
      'due_at',
      'id',
      'sealed',
    ]);
    const bytes = Buffer.from(row?.sealed ?? '', 'base64').toString('latin1');
    expect(bytes.length).toBeGreaterThan(100);
    expect(bytes + JSON.stringify(row)).not.toMatch(/ada|eve|example|secret|zq7/);
  });

  test('a mail that is not taken is tried again, later each time, and the log says so without a word of it', async () => {
    smtp.answers.set('RCPT TO', '450 ada@example.org is busy');
    await site.sendMail(hello);
    await site.finishBackgroundWork();
    const [row] = await waiting();
    expect(row?.attempts).toBe(1);
    await sendDue();
    // Not yet.
    expect((await waiting())[0]?.attempts).toBe(1);
    await db()
      .updateTable('mail_outbox')
      .set({ due_at: new Date(0) })
      .execute();
    await sendDue();
    expect((await waiting())[0]?.attempts).toBe(2);
    const fields = { mail: row?.id, code: 'EENVELOPE', responseCode: 450 };
    expect(logged).toEqual([
      ['warn', { ...fields, attempts: 1 }, 'mail not sent yet'],
      ['warn', { ...fields, attempts: 2 }, 'mail not sent yet'],
    ]);
    smtp.answers.clear();
    await db()
      .updateTable('mail_outbox')
      .set({ due_at: new Date(0) })
      .execute();
    await sendDue();
    expect([smtp.taken.length, await waiting()]).toEqual([1, []]);
  });

  test('a mail is given up after three days', async () => {
    smtp.answers.set('connection', '421 later');
    await site.sendMail(hello);
    await site.finishBackgroundWork();
    const old = { due_at: new Date(0), created_at: new Date(Date.now() - 72 * 3_600_000) };
    await db().updateTable('mail_outbox').set(old).execute();
    await sendDue();
    expect(await waiting()).toEqual([]);
    expect(logged.at(-1)).toEqual([
      'error',
      { mail: expect.any(String) as string, attempts: 2, code: 'EPROTOCOL', responseCode: 421 },
      'mail given up',
    ]);
    expect(JSON.stringify(logged)).not.toMatch(/ada|eve|example|secret|zq7/);
  });

  test.each([
    ['RCPT TO', '550 nobody here', 0],
    ['end', '554 spam', 0],
    ['MAIL FROM', '550 not from here', 1],
    ['connection', '554 not today', 1],
  ])('refused for good at %s with %s, %i are tried again', async (command, answer, left) => {
    smtp.answers.set(command, answer);
    await site.sendMail(hello);
    await site.finishBackgroundWork();
    expect(await waiting()).toHaveLength(left);
  });

  test('a mail is sent after AUTH_SECRET was rotated, and given up if its key is gone', async () => {
    smtp.answers.set('connection', '421 later');
    await site.sendMail(hello);
    await site.finishBackgroundWork();
    smtp.answers.clear();
    const next = 'another key of at least 32 characters';
    current = { ...current, authSecrets: [next, ...current.authSecrets] };
    await db()
      .updateTable('mail_outbox')
      .set({ due_at: new Date(0) })
      .execute();
    await sendDue();
    expect(smtp.taken).toHaveLength(1);

    smtp.answers.set('connection', '421 later');
    await site.sendMail(hello);
    await site.finishBackgroundWork();
    smtp.answers.clear();
    current = { ...current, authSecrets: ['a third key of at least 32 characters'] };
    await db()
      .updateTable('mail_outbox')
      .set({ due_at: new Date(0) })
      .execute();
    await sendDue();
    expect([smtp.taken.length, await waiting()]).toEqual([1, []]);
    expect(logged.at(-1)).toMatchObject([
      'error',
      { code: 'sealed with another AUTH_SECRET' },
      'mail given up',
    ]);
  });

  test('the seal of one row does not open in another', async () => {
    smtp.answers.set('connection', '421 later');
    await site.sendMail(hello);
    await site.finishBackgroundWork();
    smtp.answers.clear();
    await db()
      .updateTable('mail_outbox')
      .set({ id: crypto.randomUUID(), due_at: new Date(0) })
      .execute();
    await sendDue();
    expect([smtp.taken, await waiting()]).toEqual([[], []]);
  });

  test('with SMTP_URL=off nothing is kept, and the caller learns it', async () => {
    current = settings(null);
    expect(await site.sendMail(hello)).toBe(false);
    expect(await waiting()).toEqual([]);
  });
}

test.each([
  'ada@example.org, eve@example.org',
  'Ada <ada@example.org>',
  'ada@example.org\r\nBcc: eve@example.org',
  '',
])('a mail to %j is refused: it goes to one address', async (to) => {
  await expect(site.sendMail({ ...hello, to })).rejects.toThrow('one e-mail address');
  await expect(site.sendMail({ ...hello, replyTo: to })).rejects.toThrow('one e-mail address');
});

onEachStore(suite);
