/** `docs/recipes/accounts/roles.md` on the built site: the operator's command, and what it changes for a session that exists. */
import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCookieJar, formRequest, httpVisitor } from '@gatehouse/simulator/http';
import { childEnv, type Site } from '@gatehouse/simulator/programs';
import type * as Platforms from '../../e2e/platform';
import { buildRecipeSite, startBuilt } from './recipe-site';

let folder = '';
let platform: Platforms.Platform;
let site: Site;

beforeAll(async () => {
  folder = await buildRecipeSite();
  const { startPlatform } = (await import(
    /* @vite-ignore */ path.join(folder, 'e2e/platform.ts')
  )) as typeof Platforms;
  platform = await startPlatform({ port: 0, internalPort: 0 });
  site = await startBuilt(folder, platform, { SMTP_URL: platform.smtpUrl });
}, 300_000);
afterAll(async () => {
  await site.stop();
  await platform.close();
});

/** What the command prints, and the code with which it exits. */
async function roles(argv: string[], settings: Record<string, string> = {}) {
  const env = childEnv({
    ...{ NODE_ENV: 'production', SITE_ORIGIN: platform.siteOrigin },
    ...{ PLATFORM_INTERNAL_URL: platform.internalUrl, AUTH_SECRET: 'k'.repeat(32) },
    ...{ PLATFORM_FRAME_ANCESTORS: platform.platformUrl, SMTP_URL: platform.smtpUrl },
    DATABASE_URL: `file:${site.databaseFile}`,
    ...settings,
  });
  try {
    const command = ['build/server/roles.js', ...argv];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, command, {
      cwd: folder,
      env,
    });
    return [0, stdout + stderr];
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return [code, stdout + stderr];
  }
}

/** The token of the link in the newest mail. */
async function mailedToken(email: string): Promise<string> {
  const { links } = await platform.mailbox.next(email);
  return new URL(links[0] ?? '').searchParams.get('token') ?? '';
}

test('an operator grants a role, and withdraws it from a session that exists', async () => {
  const visitor = httpVisitor(platform, null, undefined, createCookieJar());
  const [email, password] = ['zoe@example.org', 'a few words are easy to remember'];
  // A form cannot ask for more than its fields.
  const more = { role: 'admin', roles: 'admin', emailVerified: 'true' };
  await visitor.post('/sign-up', formRequest({ name: 'Zoe', email, password, ...more }));
  const token = await mailedToken(email);
  const unconfirmed = 'The owner of this account has not confirmed its e-mail address.\n';
  expect(await roles(['grant', email, 'admin'])).toEqual([1, unconfirmed]);
  await visitor.post('/verify-email', formRequest({ intent: 'confirm', token }));
  await visitor.post('/sign-in', formRequest({ email, password, ...more }));
  const exported = (await visitor.get('/api/account-export')).json();
  expect(exported).toMatchObject({ account: { email }, data: { account_role: [] } });
  const { id } = (exported as { account: { id: string } }).account;
  const settings = { intent: 'name', account: id, name: 'Zoe', ...more };
  expect((await visitor.post('/settings', formRequest(settings))).status).toBeLessThan(400);
  const refused = await visitor.get('/members');
  expect([refused.status, refused.text]).toEqual([403, expect.not.stringContaining('<ul>')]);

  const off = await roles(['grant', email, 'admin'], { SMTP_URL: 'off' });
  expect(off).toEqual([1, expect.stringMatching(/^With SMTP_URL=off nobody .* by its id/)]);
  expect(await roles(['list'])).toEqual([0, 'Nobody has a role.\n']);
  expect(await roles(['grant', email, 'admin'])).toEqual([0, `Granted admin: ${email} (${id}).\n`]);
  const page = await visitor.get('/members');
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('<li>Zoe</li>')]);
  expect(await roles(['withdraw', email, 'admin'])).toEqual([
    0,
    `Withdrew admin: ${email} (${id}).\n`,
  ]);
  for (const address of ['/members', '/members.data'])
    expect((await visitor.get(address)).status).toBe(403);
  const who = userInfo().username;
  expect(await roles(['history'])).toEqual([
    0,
    expect.stringMatching(
      new RegExp(
        `^\\S+T\\S+Z ${who} has granted admin: .*\\n\\S+Z ${who} has withdrawn admin: .*\\n$`,
      ),
    ),
  ]);
}, 60_000);

test('the command says in one sentence why it cannot work', async () => {
  expect(await roles(['grant', 'nobody@example.org', 'admin'])).toEqual([
    1,
    'There is no such account.\n',
  ]);
  expect(await roles(['grant', 'zoe@example.org', 'owner'])).toEqual([
    1,
    'The site has no role owner. Its roles are: admin.\n',
  ]);
  expect(await roles(['list'], { AUTH_SECRET: '' })).toEqual([
    1,
    expect.stringMatching(/^AUTH_SECRET [^\n]+\n$/),
  ]);
  expect(await roles(['list'], { DATABASE_URL: 'file:package.json' })).toEqual([
    1,
    expect.stringMatching(/^DATABASE_URL [^\n]+ file is not a database\.\n$/),
  ]);
}, 60_000);
