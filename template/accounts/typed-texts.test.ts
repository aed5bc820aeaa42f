/** Passwords, names and mail addresses as keyboards, password managers and the clipboard give them. */
import { scryptSync } from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import { store } from '~/store.server';
import { scryptCost } from '@gatehouse/accounts/testing/low-costs';
import { sentMails } from '@gatehouse/accounts/testing/mail-double';
import { mailedToken, startSiteWithAccounts, type Person } from '~/testing/site-with-accounts';
import type { AccountTables } from '@gatehouse/accounts';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));
vi.mock('@gatehouse/accounts/mailer', () => import('@gatehouse/accounts/testing/mail-double'));
vi.mock('@gatehouse/accounts/costs', () => import('@gatehouse/accounts/testing/low-costs'));

const site = await startSiteWithAccounts();
const { person } = site;

/** Each test has an IP address of its own, whose limits it does not reach. */
const from = { address: '', tests: 0 };
beforeEach(() => {
  from.address = `203.0.113.${++from.tests}`;
});
const browser = () => site.browser(from.address);
const member = () => site.member(from.address);
const signedIn = (person: Person) => site.signedIn(person, from.address);

const signUp = (person: Person) => browser().post('/sign-up', { ...person });

async function confirmed(person: Person): Promise<Person> {
  expect((await signUp(person)).status).toBe(200);
  const token = await mailedToken(person.email);
  const done = await browser().post('/verify-email', { intent: 'confirm', token });
  expect(done.status).toBe(200);
  return person;
}

test.each(['😀'.repeat(65), '😀'.repeat(128), 'ä'.repeat(128).normalize('NFD'), '😀'.repeat(10)])(
  'a password within the limits in characters signs up, signs in, and can be changed and reset: %#',
  async (password) => {
    const ada = await confirmed({ ...person(), password });
    const here = await signedIn(ada);
    const account = await here.accountId();
    const changes = [
      { current: password, password: 'another long pass phrase' },
      { current: 'another long pass phrase', password },
    ];
    for (const change of changes) {
      const { status } = await here.post('/settings', { intent: 'password', account, ...change });
      expect(status).toBe(200);
    }
    sentMails.length = 0;
    await browser().post('/reset-password', { intent: 'send', email: ada.email });
    const token = await mailedToken(ada.email);
    const reset = await browser().post('/reset-password', { intent: 'reset', token, password });
    expect(reset.text).toContain('Your password has been changed.');
    const again = await signedIn(ada);
    const gone = await again.post('/settings', { intent: 'delete', account, password });
    expect([gone.status, gone.location]).toEqual([303, '/']);
  },
);

test.each([
  ['five decomposed letters', 'é'.repeat(5).normalize('NFD'), 'Use at least 10 characters.'],
  ['nine emoji', '😀'.repeat(9), 'Use at least 10 characters.'],
  ['129 emoji', '😀'.repeat(129), 'Use at most 128 characters.'],
  ['129 decomposed letters', 'é'.repeat(129).normalize('NFD'), 'Use at most 128 characters.'],
  ['a line break', 'a long\npass phrase', 'cannot contain line breaks or control characters'],
  ['a control character', 'a long\u0001pass phrase', 'cannot contain line breaks or control'],
])('a new password of %s is refused, and says why', async (_, password, reason) => {
  const signedUp = await signUp({ ...person(), password });
  expect([signedUp.status, signedUp.text]).toEqual([422, expect.stringContaining(reason)]);

  const ada = await member();
  await browser().post('/reset-password', { intent: 'send', email: ada.email });
  const token = await mailedToken(ada.email);
  const reset = await browser().post('/reset-password', { intent: 'reset', token, password });
  expect([reset.status, reset.text]).toEqual([422, expect.stringContaining(reason)]);

  const here = await signedIn(ada);
  const fields = { account: await here.accountId(), current: ada.password, password };
  const changed = await here.post('/settings', { intent: 'password', ...fields });
  expect([changed.status, changed.text]).toEqual([422, expect.stringContaining(reason)]);
});

test.each([
  ['ä'.repeat(70), 'ä'.repeat(70).normalize('NFD')],
  ['a long pass phrase', 'a\u00a0long\u3000pass\u2009phrase'],
  ['a\u1680long pass phrase', 'a long pass phrase'],
])(
  'a password matches however its letters are composed and its spaces are typed: %#',
  async (typed, other) => {
    const ada = await confirmed({ ...person(), password: typed });
    const here = await signedIn({ ...ada, password: other });
    const account = await here.accountId();
    const password = 'another long pass phrase';
    const fields = { intent: 'password', account, current: other, password };
    expect((await here.post('/settings', fields)).status).toBe(200);
  },
);

test('passwords that only look alike differ', async () => {
  const ada = await confirmed({ ...person(), password: 'the ﬁrst pass phrase' });
  expect((await browser().signIn({ ...ada, password: 'the first pass phrase' })).status).toBe(422);
  await signedIn(ada);
});

test.each([
  'the ﬁrst pass phrase ①',
  'with\u1680an old space',
  'with a\ttab in it',
  '\u0958'.repeat(100),
])(
  'an account from before, whose hash is of the compatibility form, still signs in and can be deleted: %#',
  async (password) => {
    const ada = await member();
    const salt = Buffer.alloc(16, 7);
    const key = scryptSync(password.normalize('NFKC'), salt, 32, scryptCost);
    const encoded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
    const { N, r, p } = scryptCost;
    const hash = `$scrypt$ln=${Math.log2(N)},r=${r},p=${p}$${encoded(salt)}$${encoded(key)}`;
    const of = (await signedIn(ada)).accountId();
    await store<AccountTables>()
      .updateTable('account_credential')
      .set({ password: hash })
      .where('account_id', '=', await of)
      .execute();
    const old = { ...ada, password };
    expect((await browser().signIn(ada)).status).toBe(422);
    const here = await signedIn(old);
    const fields = { intent: 'delete', account: await of, password };
    expect((await here.post('/settings', fields)).status).toBe(303);
  },
);

test('a name counts characters, and is stored as it was typed', async () => {
  const here = await signedIn(await member());
  const account = await here.accountId();
  const save = (name: string) => here.post('/settings', { intent: 'name', account, name });
  for (const name of ['😀'.repeat(80), 'é'.repeat(80).normalize('NFD')]) {
    expect((await save(name)).status).toBe(200);
    const { text } = await here.get('/api/account-export');
    expect(JSON.parse(text)).toMatchObject({ account: { name } });
    const longer = await save(`${name}x`);
    expect([longer.status, longer.text]).toEqual([
      422,
      expect.stringContaining('Use at most 80 characters.'),
    ]);
  }
});

test.each([
  '\u200b',
  '\u3164',
  '\u2800',
  '\ufe0f',
  '\u200f',
  '\u00ad',
  '\u{e0041}',
  '\u2066 \u2069',
])('a name with nothing to see is refused: %j', async (name) => {
  const signedUp = await signUp({ ...person(), name });
  expect([signedUp.status, signedUp.text]).toEqual([422, expect.stringContaining('Enter a name.')]);
  const here = await signedIn(await member());
  const account = await here.accountId();
  const renamed = await here.post('/settings', { intent: 'name', account, name });
  expect([renamed.status, renamed.text]).toEqual([422, expect.stringContaining('Enter a name.')]);
});

test('a name loses what is invisible in it, keeps its joiners and variants, and is isolated on the page', async () => {
  const here = await signedIn(await member());
  const account = await here.accountId();
  const save = async (name: string) => {
    expect((await here.post('/settings', { intent: 'name', account, name })).status).toBe(200);
    const { text } = await here.get('/api/account-export');
    return (JSON.parse(text) as { account: { name: string } }).account.name;
  };
  for (const name of ['می‌خواهم', '葛󠄀', 'അവന്‍', '👩‍💻']) expect(await save(name)).toBe(name);
  expect(await save('\u202aAda\u202c Love\u200blace\u202e')).toBe('Ada Lovelace');
  // As an earlier version stored it.
  await store<AccountTables>()
    .updateTable('account')
    .set({ name: 'Ada\u202e' })
    .where('id', '=', account)
    .execute();
  for (const path of ['/settings', '/'])
    expect((await here.get(path)).text).toContain('<bdi>Ada\u202e</bdi>');
});

test('the sign of the kelvin is the letter that it looks like', async () => {
  const ada = { ...person(), email: `k${person().email}` };
  await confirmed(ada);
  await signedIn({ ...ada, email: ada.email.replace('k', '\u212a') });
});

test('an address of the greatest lengths is accepted', async () => {
  const label = 'b'.repeat(63);
  await signedIn(
    await confirmed({ ...person(), email: `${'a'.repeat(64)}@${label}.${label}.example` }),
  );
});

/** From the clipboard: zero width, no-break and other spaces, a byte order mark, a soft hyphen, direction marks. */
const invisible = [
  '\u200b',
  '\ufeff',
  '\u00ad',
  '\u200e',
  '\u202c',
  '\u2060',
  '\u2069',
  '\ufe0f',
  '\u0000',
];

test.each([
  ...invisible.map((mark) => [`U+${mark.charCodeAt(0).toString(16)} anywhere`, mark, mark, mark]),
  ['no-break spaces around it', '\u00a0', '', '\u00a0'],
  ['line breaks and tabs around it', '\n', '', '\t\r\n'],
] as [string, string, string, string][])(
  'an address with %s is understood in every form',
  async (_, before, within, after) => {
    const ada = person();
    const pasted = (address: string) =>
      before + address.replace('@', `${within}@${within}`) + after;
    await confirmed(ada);
    await signedIn({ ...ada, email: pasted(ada.email) });

    const grace = person();
    expect((await signUp({ ...grace, email: pasted(grace.email) })).status).toBe(200);
    const first = await mailedToken(grace.email);
    sentMails.length = 0;
    await browser().post('/verify-email', { intent: 'send', email: pasted(grace.email) });
    expect(await mailedToken(grace.email)).not.toBe('');
    await browser().post('/verify-email', { intent: 'confirm', token: first });
    sentMails.length = 0;
    await browser().post('/reset-password', { intent: 'send', email: pasted(grace.email) });
    expect(await mailedToken(grace.email)).not.toBe('');

    const here = await signedIn(ada);
    const email = `new-${ada.email}`;
    const fields = {
      account: await here.accountId(),
      email: pasted(email),
      password: ada.password,
    };
    const response = await here.post('/settings', { intent: 'email', ...fields });
    expect(response.text).toContain(`We have sent a link to ${email}`);
  },
);

test.each([
  ['ada\u00a0lovelace@example.org', 'Remove the space from the address.'],
  ['ada lovelace@example.org', 'Remove the space from the address.'],
  ['adä@example.org', '“ä” cannot be used in an address here. It is character 3, U+00E4.'],
  ['ada\u0308@example.org', '“ä” cannot be used in an address here. It is character 3, U+00E4.'],
  ['İda@example.org', '“İ” cannot be used in an address here. It is character 1, U+0130.'],
  ['аda@example.org', '“а” cannot be used in an address here. It is character 1, U+0430.'],
  ['ad\u0301a@example.org', 'Character 3, U+0301, cannot be used in an address here.'],
  ['\u20e3ada@example.org', 'Character 1, U+20E3, cannot be used in an address here.'],
  ['ad\u2800a@example.org', 'Character 3, U+2800, cannot be used in an address here.'],
  ['ad\ue000a@example.org', 'Character 3, U+E000, cannot be used in an address here.'],
  [
    '👍\u200bad\u{1d159}a@example.org',
    '“👍” cannot be used in an address here. It is character 1, U+1F44D.',
  ],
  [`${'a'.repeat(65)}@example.org`, 'Use at most 64 characters before the @.'],
  [`ada@${'b'.repeat(64)}.example`, 'Use at most 63 characters between the dots after the @.'],
  [`ada@${'b.'.repeat(125)}example`, 'Use at most 254 characters.'],
  ['ada@bücher.example', '“ü” cannot be used in an address here.'],
  ['ada＠example.org', '“＠” cannot be used in an address here.'],
  ['Ada <ada@example.org>', 'Enter only the address, without a name'],
  [`${'a'.repeat(260)}@example.org`, 'Use at most 254 characters.'],
  ['ada@nowhere', 'Enter an e-mail address, such as ada@example.org.'],
  ['', 'Enter an e-mail address, such as ada@example.org.'],
  ['\u200b', 'Enter an e-mail address, such as ada@example.org.'],
])(
  'an address that cannot be used is refused with the reason in every form: %j',
  async (email, reason) => {
    const ada = await member();
    const here = await signedIn(ada);
    const account = await here.accountId();
    const { password } = ada;
    const responses = await Promise.all([
      signUp({ ...person(), email }),
      browser().post('/sign-in', { email, password }),
      browser().post('/reset-password', { intent: 'send', email }),
      browser().post('/verify-email', { intent: 'send', email }),
      here.post('/settings', { intent: 'email', account, email, password }),
    ]);
    for (const { status, text } of responses) {
      const [, error = ''] = /<div id="[\w-]+-email-error"[^>]*>([^<]*)</.exec(text) ?? [];
      expect([status, error]).toEqual([422, expect.stringContaining(reason)]);
      // One reason, and nothing that is drawn over it.
      expect(error.split(/(?<=\.) (?!It is)/)).toHaveLength(1);
      expect(error).not.toMatch(/\p{Mark}/u);
    }
  },
);
