/** Limits of the site's own actions. */
import { openEmptyStore } from '@gatehouse/store/testing/empty-store';
import { expect, test } from 'vitest';
import { mailingSite, mailingStore, settings } from '../test/mailing-site.ts';

openEmptyStore(mailingStore);
const { limit } = mailingSite(() => settings(null), console);

const call = (id: string, address?: string) => ({ account: { id }, address });

test('a limit counts each account by itself, and says when it may go on', async () => {
  const invitations = limit({ name: 'invitations', account: { times: 2, minutes: 60 } });
  const all = await Promise.all(
    ['ada', 'ada', 'ada', 'eve'].map((id) => invitations.count(call(id))),
  );
  expect(all.filter((limited) => limited === null)).toHaveLength(3);
  const limited = await invitations.count(call('ada'));
  expect(limited).toMatchObject({ ok: false, reason: 'limited' });
  expect(limited?.retryAfterSeconds).toBeGreaterThan(3_500);
  expect(await invitations.count(call('eve'))).toBeNull();
});

test('a limit may count an IP address, whatever accounts it uses', async () => {
  const rate = { times: 1, minutes: 60 };
  const votes = limit({ name: 'votes', account: rate, address: rate });
  expect(await votes.count(call('ada', '203.0.113.7'))).toBeNull();
  expect(await votes.count(call('eve', '203.0.113.7'))).toMatchObject({ reason: 'limited' });
  // The address was refused first, which took nothing off the account.
  expect(await votes.count(call('eve', '203.0.113.8'))).toBeNull();
});

test('limits of different names are counted apart, also of those of accounts themselves', async () => {
  const rate = { times: 1, minutes: 60 };
  const [password, mail] = [
    limit({ name: 'password', account: rate }),
    limit({ name: 'mail', account: rate }),
  ];
  expect([await password.count(call('bob')), await mail.count(call('bob'))]).toEqual([null, null]);
  expect(await password.count(call('bob'))).toMatchObject({ reason: 'limited' });
});
