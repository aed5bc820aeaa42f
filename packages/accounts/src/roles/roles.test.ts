/** Roles of accounts, granted by the command, on both databases. */
import { beforeEach, expect, test, vi } from 'vitest';
import {
  accounts,
  confirm,
  db,
  onEachStore,
  password,
  settings,
  signedIn,
  signedUp,
  siteStore,
} from '../../test/site-on-store.ts';

vi.mock('../mail/mailer.ts', () => import('../testing/mail-double.ts'));
vi.mock('../costs.ts', () => import('../testing/low-costs.ts'));

/** What the command prints, on a store that stays open. */
function command(...argv: string[]): Promise<string> {
  return commandBy('operator', ...argv);
}

async function commandBy(by: string, ...argv: string[]): Promise<string> {
  const printed: string[] = [];
  const keep = (text: unknown) => printed.push(String(text)) > 0;
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation(keep),
  );
  const nothing = () => Promise.resolve();
  const opened = globalThis.siteStore;
  if (!opened) throw new Error('No store is open.');
  await accounts.runRolesCommand([...argv, '--by', by], {
    openStore: () => Promise.resolve(opened),
    closeStore: nothing,
  });
  for (const spy of spies) spy.mockRestore();
  process.exitCode = 0;
  return printed.join('').trimEnd();
}

const asAdmin = async (args: Parameters<typeof accounts.requireAccount>[0]) => {
  try {
    return (await accounts.requireAccount(args, { role: 'admin' })).account.roles;
  } catch (thrown) {
    if (!(thrown instanceof Response)) throw thrown;
    return [thrown.status, await thrown.text()];
  }
};

/** The rows of an account, whether or not the site declares their roles. */
const rolesIn = (id: string) =>
  db().selectFrom('account_role').select('role').where('account_id', '=', id).execute();

let count = 0;
const newAddress = () => `ada${++count}@example.org`;

onEachStore(() => {
  beforeEach(() => {
    settings.smtpUrl = 'smtp://127.0.0.1:9';
  });

  test('a role opens what it guards, and its withdrawal closes it in a session that exists', async () => {
    const email = newAddress();
    const id = await signedUp(email);
    await confirm(id);
    const args = await signedIn(email);
    expect(await asAdmin(args())).toEqual([403, '']);
    expect(await command('grant', email.toUpperCase(), 'admin')).toBe(
      `Granted admin: ${email} (${id}).`,
    );
    expect(await asAdmin(args())).toEqual(['admin']);
    expect(await command('grant', email, 'admin')).toBe(`${email} already has admin.`);
    expect(await command('list')).toMatch(`admin  ${email}  ${id}  `);
    expect(await command('withdraw', id, 'admin')).toBe(`Withdrew admin: ${email} (${id}).`);
    expect(await asAdmin(args())).toEqual([403, '']);
    expect(await command('withdraw', id, 'admin')).toBe(`${email} does not have admin.`);
    const history = (await command('history')).split('\n').filter((line) => line.includes(id));
    expect(history.map((line) => line.slice(25))).toEqual([
      `operator has granted admin: ${email} (${id})`,
      `operator has withdrawn admin: ${email} (${id})`,
    ]);
  });

  test('another role, and a form of a page that needs one, are refused as well', async () => {
    const email = newAddress();
    await confirm(await signedUp(email));
    const args = await signedIn(email);
    await command('grant', email, 'editor');
    expect(await asAdmin(args())).toEqual([403, '']);
    expect(await asAdmin(args('/api/orders'))).toEqual([403, '{"error":"forbidden"}']);
    const form = accounts.requireAccountForm(args(), { role: 'admin' });
    await expect(form).rejects.toMatchObject({ status: 403 });
    // JavaScript may pass a role that is no string: nobody has it.
    const unset = accounts.requireAccount(args(), { role: undefined as unknown as 'admin' });
    await expect(unset).rejects.toMatchObject({ status: 403 });
  });

  test('an address that nobody confirmed gets no role, however the account is named', async () => {
    const email = newAddress();
    const id = await signedUp(email);
    for (const named of [email, id]) {
      expect(await command('grant', named, 'admin')).toBe(
        'The owner of this account has not confirmed its e-mail address.',
      );
    }
    expect(await command('grant', 'nobody@example.org', 'admin')).toBe('There is no such account.');
    expect(await rolesIn(id)).toEqual([]);
  });

  test('without mail an address names nobody, not even one that was confirmed before', async () => {
    const email = newAddress();
    const id = await signedUp(email);
    await confirm(id);
    settings.smtpUrl = null;
    expect(await command('grant', email, 'admin')).toMatch(/^With SMTP_URL=off .* by its id/);
    expect(await command('grant', id, 'admin')).toBe(`Granted admin: ${email} (${id}).`);
  });

  test('a role goes with its account, not with its address, and the record stays', async () => {
    const email = newAddress();
    const id = await signedUp(email);
    await confirm(id);
    await command('grant', email, 'admin');
    const moved = newAddress();
    await db().updateTable('account').set({ email: moved }).where('id', '=', id).execute();
    const other = await signedUp(email);
    await confirm(other);
    expect(await asAdmin((await signedIn(email))())).toEqual([403, '']);
    expect(await asAdmin((await signedIn(moved))())).toEqual(['admin']);
    await db().deleteFrom('account').where('id', '=', id).execute();
    expect(await rolesIn(id)).toEqual([]);
    await confirm(await signedUp(moved));
    expect(await asAdmin((await signedIn(moved))())).toEqual([403, '']);
    expect(await command('history')).toContain(
      `operator has granted admin: a deleted account (${id})`,
    );
  });

  test('what a sign-up says of roles gives none, and does not confirm its address', async () => {
    const email = newAddress();
    const more = { role: 'admin', roles: ['admin'], account_role: [{ role: 'admin' }] };
    const id = await signedUp(email, { ...more, emailVerified: true });
    expect(await command('grant', id, 'admin')).toMatch('has not confirmed');
    await confirm(id);
    expect(await asAdmin((await signedIn(email))())).toEqual([403, '']);
  });

  test('an export lists the roles of its account alone, and a deletion takes them', async () => {
    const [email, other] = [newAddress(), newAddress()];
    const [id, others] = [await signedUp(email), await signedUp(other)];
    for (const one of [id, others]) await confirm(one);
    await command('grant', email, 'admin');
    await command('grant', other, 'editor');
    const args = (await signedIn(email))();
    const { account } = await accounts.requireAccount(args);
    const exported: unknown = await new Response(await accounts.exportAccount(account)).json();
    const role = { role: 'admin', granted_at: expect.any(String) as string };
    expect(exported).toMatchObject({ data: { account_role: [role] } });
    const call = { ...args, account, address: undefined };
    expect(await accounts.deleteAccount(call, password)).toMatchObject({ ok: true });
    expect(await rolesIn(id)).toEqual([]);
    expect(await command('list')).toMatch(`editor  ${other}`);
    expect(await command('history')).toContain(`has granted admin: a deleted account (${id})`);
  });

  test('a role that the site does not declare is neither granted nor counted', async () => {
    const email = newAddress();
    const id = await signedUp(email);
    await confirm(id);
    expect(await command('grant', email, 'admn')).toBe(
      'The site has no role admn. Its roles are: admin, editor.',
    );
    const row = { account_id: id, role: 'former', granted_at: new Date() };
    await db().insertInto('account_role').values(row).execute();
    const { account } = await accounts.requireAccount((await signedIn(email))());
    expect(account.roles).toEqual([]);
    expect(await command('withdraw', email, 'former')).toBe(`Withdrew former: ${email} (${id}).`);
  });

  test('a name with control characters adds no line to the history', async () => {
    const email = newAddress();
    const id = await signedUp(email);
    await confirm(id);
    await commandBy('op\u001b[2K\n\u202erotare', 'grant', email, 'admin');
    const lines = (await command('history')).split('\n').filter((line) => line.includes(id));
    expect(lines.map((line) => line.slice(25))).toEqual([
      `op\uFFFD[2K\uFFFD\uFFFDrotare has granted admin: ${email} (${id})`,
    ]);
  });

  test('grants at once are one grant', async () => {
    const email = newAddress();
    const id = await signedUp(email);
    await confirm(id);
    await Promise.all(
      [1, 2, 3].map(() =>
        accounts.runRolesCommand(['grant', email, 'editor'], {
          openStore: () => Promise.resolve({ kind: 'sqlite', db: siteStore.store<unknown>() }),
          closeStore: () => Promise.resolve(),
        }),
      ),
    );
    const changes = db().selectFrom('role_change').selectAll().where('subject', '=', id);
    expect(await changes.execute()).toHaveLength(1);
  });

  test('the command explains itself, and refuses what it does not know', async () => {
    expect(await command('--help')).toContain('grant ACCOUNT ROLE');
    for (const argv of [
      ['promote', 'a', 'b'],
      ['grant', 'a'],
      ['list', 'a'],
    ]) {
      expect(await command(...argv)).toBe('Usage: see --help.');
    }
  });
});
