/**
 * A process of a site that sends mail, without the site: `mail-process.ts STORE SMTP_URL COUNT AHEAD`. It keeps that many mails, says
 * so, and sends what waits in the store until it is killed. Its clock is ahead by that many milliseconds.
 */
import { mock } from 'node:test';
import { mailingSite, mailingStore, settings } from './mailing-site.ts';

const [url = '', smtpUrl = '', count = '0', ahead = '0'] = process.argv.slice(2);
if (ahead !== '0') mock.timers.enable({ apis: ['Date'], now: Date.now() + Number(ahead) });

const { openStore, store } = mailingStore;
await openStore({ url });
const site = mailingSite(() => settings(smtpUrl), console);
await store<object>()
  .transaction()
  .execute(async (transaction) => {
    for (let number = 0; number < Number(count); number++) {
      const words = { subject: `Order ${number}`, paragraphs: ['It is on its way.'] };
      await site.sendMail({ to: 'ada@example.org', ...words }, transaction);
    }
  });
site.startBackgroundWork();
process.stdout.write('kept\n');
// A server would keep it alive.
setInterval(() => undefined, 1_000);
