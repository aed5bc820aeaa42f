/** The mailbox: mail that a site sends by SMTP is stored and announced, and never delivered. */
import { createTransport } from 'nodemailer';
import { expect, test } from 'vitest';

import { printShop } from '../../test/print-shop.ts';
import { openTestSite } from '../testing/test-platform.ts';
import { visit } from '../../test/visit.ts';

const { platform } = await openTestSite(printShop);

async function send(to: string, subject: string): Promise<void> {
  const transport = createTransport(platform.smtpUrl);
  const text = `Open ${platform.siteOrigin}/verify?token=a%2Bb%3D to go on.\n\nGrüße, Ada — 1,000 of them`;
  await transport.sendMail({ from: 'site@site.example', to, subject, text });
}

function control(method: string, path: string) {
  const headers = { 'x-platform-control': '1' };
  return visit(platform, `/__platform/${path}`, { to: 'platform', method, headers });
}

test('a mail is stored unchanged, with its links', async () => {
  await send('ada@example.org', 'Ünïcode');
  expect(platform.mailbox.messages()).toMatchObject([
    {
      to: ['ada@example.org'],
      from: 'site@site.example',
      subject: 'Ünïcode',
      text: expect.stringContaining('Grüße, Ada — 1,000 of them') as unknown,
      links: [`${platform.siteOrigin}/verify?token=a%2Bb%3D`],
    },
  ]);
});

test('the newest mail to an address can be awaited', async () => {
  const waiting = platform.mailbox.next('bob@example.org');
  await send('ada@example.org', 'Not this one');
  await send('bob@example.org', 'This one');
  expect((await waiting).subject).toBe('This one');
  expect(platform.mailbox.messages('bob@example.org')).toHaveLength(1);
});

test('the control API lists the mails and empties the mailbox, and a reset does too', async () => {
  await send('ada@example.org', 'First');
  await send('ada@example.org', 'Second');
  const listed = (await control('GET', 'mailbox?to=ada%40example.org')).json();
  expect(listed).toMatchObject([{ subject: 'Second' }, { subject: 'First' }]);
  expect((await control('DELETE', 'mailbox')).status).toBe(204);
  expect(platform.mailbox.messages()).toEqual([]);
  await send('ada@example.org', 'Third');
  await platform.reset();
  expect(platform.mailbox.messages()).toEqual([]);
});
