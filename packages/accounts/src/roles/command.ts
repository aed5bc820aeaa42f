/** The command by which an operator grants and withdraws roles. */
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import type { SiteStore } from '@gatehouse/store';
import type { AccountsSite } from '../site.ts';
import { grantRole, listRoleChanges, listRoles, withdrawRole, type RoleChange } from './roles.ts';

/** Why the command did nothing, in one sentence. */
class RoleCommandError extends Error {
  override name = 'RoleCommandError';
}

const help = `Roles of accounts, on the settings of the server.

  grant ACCOUNT ROLE     gives an account a role
  withdraw ACCOUNT ROLE  takes it away, also in sessions that exist
  list                   who has which role
  history                every grant and withdrawal

ACCOUNT is an e-mail address that its owner has confirmed, or the account's id, which is in its export.
--by NAME              who does it, for the record; by default the user of this machine
--help                 prints this`;

/**
 * `grant`, `withdraw`, `list` or `history`: prints what it did, or why not.
 *
 * @param argv the command's arguments.
 */
export async function runRolesCommand(
  site: AccountsSite,
  argv: string[],
  { openStore, closeStore }: Omit<SiteStore, 'store'>,
): Promise<void> {
  try {
    process.stdout.write(`${await runCommand(site, argv, openStore)}\n`);
  } catch (error) {
    const expected = ['RoleCommandError', 'SettingError', 'StartError', 'StoreUnavailable'];
    if (!(error instanceof Error && expected.includes(error.name))) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  } finally {
    await closeStore();
  }
}

async function runCommand(
  site: AccountsSite,
  argv: string[],
  openStore: SiteStore['openStore'],
): Promise<string> {
  const { positionals, by, isHelp } = read(argv);
  const [command, named, role, ...rest] = positionals;
  if (isHelp || command === undefined) return help;
  const usage = new RoleCommandError('Usage: see --help.');
  if (command === 'list' || command === 'history') {
    if (named !== undefined) throw usage;
    await openStore();
    return command === 'list' ? listed(site) : recorded(site);
  }
  if (command !== 'grant' && command !== 'withdraw') throw usage;
  if (named === undefined || role === undefined || rest.length > 0) throw usage;
  const { roles = [] } = site;
  // One that the site has given up can still be withdrawn.
  if (command === 'grant' && !roles.includes(role)) {
    throw new RoleCommandError(
      `The site has no role ${role}. Its roles are: ${roles.join(', ') || 'none'}.`,
    );
  }
  await openStore();
  const change = { named, role, by };
  if (command === 'grant')
    return outcomeOf(await grantRole(site, change), role, 'Granted', 'already has');
  return outcomeOf(await withdrawRole(site, change), role, 'Withdrew', 'does not have');
}

function read(argv: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: { by: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
    return { positionals, by: values.by ?? thisUser(), isHelp: values.help === true };
  } catch (error) {
    throw new RoleCommandError(error instanceof Error ? error.message : 'Usage: see --help.');
  }
}

/** A container may run as a user without a name. */
function thisUser(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

const refusals: Record<Extract<RoleChange, { ok: false }>['reason'], string> = {
  'no-account': 'There is no such account.',
  unverified: 'The owner of this account has not confirmed its e-mail address.',
  'needs-id':
    'With SMTP_URL=off nobody has confirmed an address, and anybody may have signed up with it: name the account by its id, which is in its export.',
};

function outcomeOf(change: RoleChange, role: string, done: string, not: string): string {
  if (!change.ok) throw new RoleCommandError(refusals[change.reason]);
  const { email, id } = change.account;
  return change.isChanged ? `${done} ${role}: ${email} (${id}).` : `${email} ${not} ${role}.`;
}

async function listed(site: AccountsSite): Promise<string> {
  const rows = await listRoles(site);
  const lines = rows.map(({ role, email, id, at }) => [role, email, id, at.toISOString()]);
  return lines.map((line) => line.join('  ')).join('\n') || 'Nobody has a role.';
}

/** Whoever may grant chooses the name, and could otherwise hide lines of the record, or add some, on the reader's terminal. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');
}

async function recorded(site: AccountsSite): Promise<string> {
  const rows = await listRoleChanges(site);
  const lines = rows.map((row) =>
    [
      row.at.toISOString(),
      `${printable(row.changed_by)} has ${row.change} ${row.role}:`,
      row.email ?? 'a deleted account',
      `(${row.subject})`,
    ].join(' '),
  );
  return lines.join('\n') || 'No role was ever granted.';
}
