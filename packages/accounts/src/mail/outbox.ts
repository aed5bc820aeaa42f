/**
 * Mails wait in the store until the mail server has taken them, so that a process that ends loses none. A process claims a
 * mail for a while before it sends it. If it ends meanwhile, another one sends the mail after that: at least once, and
 * perhaps twice, with the same message id.
 */
import type { Kysely } from 'kysely';
import {
  isStoreUnavailable,
  newId,
  readTimestamp,
  storeTime,
  type Timestamp,
} from '@gatehouse/store';
import { retried, runInBackground } from '../background.ts';
import type { AccountsSite } from '../site.ts';
import type { AccountTables } from '../tables.ts';
import { deliver, deliveryTime, type Mail } from './mailer.ts';
import { openMail, sealMail } from './sealed-mail.ts';

const second = 1_000;
const hour = 3_600 * second;

/** How long a process has a mail that it claimed. */
const lease = deliveryTime + 30 * second;

/** Then a mail is given up. Longer than a weekend. */
const oldest = 72 * hour;

/** After that many attempts: 5 s, 15 s, 45 s and so on, but at most an hour. */
const waitAfter = (attempts: number) => Math.min(5 * second * 3 ** (attempts - 1), hour);

/** How often a process looks for mails whose time has come: of processes that ended, and those to try again. */
const round = 5 * second;

/** Connections to the mail server. */
const atOnce = 5;

/** Part of a transaction, or whatever else sends statements to the store. */
export type Statements = Pick<Kysely<unknown>, 'executeQuery' | 'getExecutor'>;

/**
 * Keeps a mail in the store. It is sent soon, and again until the mail server has taken it.
 *
 * @param db a transaction, with which the mail is kept or not.
 * @returns false if the site sends no mail (`SMTP_URL=off`).
 */
export async function keepMail(
  site: AccountsSite,
  mail: Mail,
  db: Statements = site.store(),
): Promise<boolean> {
  if (site.settings().smtpUrl === null) return false;
  const id = newId();
  const now = await storeTime(db);
  const row = { id, sealed: sealMail(site, id, mail), attempts: 0, due_at: now, created_at: now };
  const insert = site.store<AccountTables>().insertInto('mail_outbox').values(row).compile();
  await db.executeQuery(insert);
  sendSoon(site);
  return true;
}

/** A transaction with mails of accounts, which are sent once it is committed: before, another connection does not see them. */
export async function withMails<Result>(
  site: AccountsSite,
  work: (db: Kysely<AccountTables>) => Promise<Result>,
): Promise<Result> {
  const result = await site.store<AccountTables>().transaction().execute(work);
  sendSoon(site);
  return result;
}

/** Of this process. */
const sender = {
  timer: undefined as NodeJS.Timeout | undefined,
  sending: 0,
  looking: Promise.resolve(),
};

/** Sends what waits, now and from now on. */
export function startSending(site: AccountsSite): void {
  if (site.settings().smtpUrl === null) return;
  stopSending();
  sender.timer = setInterval(() => {
    sendSoon(site);
  }, round).unref();
  sendSoon(site);
}

/** Mails that are due are sent nevertheless, if somebody waits for the background's work. */
export function stopSending(): void {
  clearInterval(sender.timer);
}

function sendSoon(site: AccountsSite): void {
  runInBackground(site, () => {
    const look = sender.looking.then(() => sendDue(site));
    sender.looking = look.catch(() => undefined);
    return look;
  });
}

async function sendDue(site: AccountsSite): Promise<void> {
  const free = atOnce - sender.sending;
  if (free <= 0) return;
  for (const mail of await claimed(site, free)) {
    sender.sending++;
    runInBackground(site, async () => {
      try {
        await send(site, mail);
      } finally {
        sender.sending--;
        sendSoon(site);
      }
    });
  }
}

interface ClaimedMail {
  id: string;
  sealed: string;
  attempts: number;
  created_at: Timestamp['__select__'];
}

async function claimed(site: AccountsSite, most: number): Promise<ClaimedMail[]> {
  try {
    const db = site.store<AccountTables>();
    const now = await storeTime(db);
    const due = await db
      .selectFrom('mail_outbox')
      .select('id')
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(most)
      .execute();
    if (due.length === 0) return [];
    return await db
      .updateTable('mail_outbox')
      .set((of) => ({ attempts: of('attempts', '+', 1), due_at: later(now, lease) }))
      .where(
        'id',
        'in',
        due.map(({ id }) => id),
      )
      // Another process that claimed one meanwhile has moved it on.
      .where('due_at', '<=', now)
      .returning(['id', 'sealed', 'attempts', 'created_at'])
      .execute();
  } catch (error) {
    // The next round finds them.
    if (isStoreUnavailable(error)) return [];
    throw error;
  }
}

async function send(site: AccountsSite, claimed: ClaimedMail): Promise<void> {
  const { id, attempts } = claimed;
  const mail = openMail(site, id, claimed.sealed);
  const failure = mail
    ? await deliver(site, id, mail)
    : { code: 'sealed with another AUTH_SECRET', isFinal: true };
  const db = site.store<AccountTables>();
  if (failure === null) {
    await retried(() => db.deleteFrom('mail_outbox').where('id', '=', id).execute());
    return;
  }
  const { isFinal = false, ...fields } = failure;
  const due = later(await retried(() => storeTime(db)), waitAfter(attempts));
  if (isFinal || due > later(readTimestamp(claimed.created_at), oldest)) {
    await retried(() => db.deleteFrom('mail_outbox').where('id', '=', id).execute());
    site.log.error({ mail: id, attempts, ...fields }, 'mail given up');
    return;
  }
  const claim = db.updateTable('mail_outbox').where('id', '=', id).where('attempts', '=', attempts);
  await retried(() => claim.set({ due_at: due }).execute());
  site.log.warn({ mail: id, attempts, ...fields }, 'mail not sent yet');
}

const later = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds);
