/** The identities stay separate: no shared imports, keys or cookies. */
import { phrasings } from '../../test/rule-tester.ts';
import rule from './identities-apart.js';

const imports = `import { changeName, checkAccount, requireAccount } from '../accounts.server';
import { createPlatformSdk, requirePlatformSdk, requirePlatformUser } from '../platform.server';
import { toSafeProfile } from '../../installed/@gatehouse/platform';
import { store } from '../store.server';
declare const schema: { parse(value: unknown): { id: string } };
`;
const route = (body: string) =>
  `${imports}export async function action(args: { request: Request; params: { id: string } }) {\n  const guard = await requirePlatformUser(args);\n  const { account } = await requireAccount(args);\n  ${body}\n}`;

phrasings(
  'site/identities-apart reports one identity used as the other [W29]',
  rule,
  {
    keyed: [
      route(
        "const { id } = schema.parse(guard.user);\n  await store().selectFrom('note').where('owner', '=', id).execute();",
      ),
      route(
        "await store().insertInto('note').values({ owner: schema.parse(guard.user).id }).execute();",
      ),
      route(
        "const profile = toSafeProfile(guard.user);\n  await store().insertInto('note').values({ owner: profile.key }).execute();",
      ),
      route(
        "const { key: owner } = toSafeProfile(guard.user);\n  const row = { owner };\n  await store().insertInto('note').values(row).execute();",
      ),
      `${imports}export async function action(args: object) {\n  const { user } = await requirePlatformSdk(args);\n  const { db } = await requireAccount(args);\n  await db.insertInto('note').values({ owner: user.key }).execute();\n}`,
      route("await changeName({ account }, toSafeProfile(guard.user).displayName ?? '');"),
      route(
        "const notesOf = (owner: string) => store().selectFrom('note').where('owner', '=', owner).execute();\n  await notesOf(toSafeProfile(guard.user).key);",
      ),
    ],
    passed: [
      route('await createPlatformSdk(guard).submit({ prompt: account.name });'),
      route(
        "const { id: reference } = account;\n  await createPlatformSdk(guard).submit({ prompt: 'a fox', reference });",
      ),
      `${imports}export async function action(args: object) {\n  const guard = await requirePlatformUser(args);\n  const found = await checkAccount(args);\n  if (!found.ok) return null;\n  const sdk = createPlatformSdk(guard);\n  return sdk.submit({ prompt: 'a fox', reference: found.account.id });\n}`,
    ],
    cookie: [
      "import { createCookie } from '@remix-run/node';\nexport const cookie = createCookie('__Host-site-session', { secure: true });",
      "export const headers = { 'set-cookie': '__Host-site-session=x; Path=/' };",
      "export const headers = { 'set-cookie': `__Host-site-session=; Path=/` };",
    ],
  },
  [
    route("await store().selectFrom('note').where('owner', '=', account.id).execute();"),
    `${imports}export async function action(args: object) {\n  const { sdk } = await requirePlatformSdk(args);\n  const { account, db } = await requireAccount(args);\n  await sdk.submit({ prompt: 'a fox' });\n  await db.insertInto('note').values({ owner: account.id }).execute();\n}`,
    route("await createPlatformSdk(guard).submit({ prompt: 'a fox', reference: args.params.id });"),
    route('return { account: account.name, profile: toSafeProfile(guard.user) };'),
    route(
      "if (!guard.ok) return null;\n  await changeName({ account }, 'Ada');\n  return toSafeProfile(guard.user).displayName;",
    ),
    "import { createCookie } from '@remix-run/node';\nexport const cookie = createCookie('__Host-lantern', { secure: true });",
    "export const words = 'Your platform account and your site account are two.';",
  ],
);

phrasings(
  'site/identities-apart reports accounts that import the platform [W29]',
  rule,
  {
    imported: [
      "import { requirePlatformUser } from '../platform.server';\nexport { requirePlatformUser };",
      "export { messageFor } from '~/shell/platform/platform-messages';",
      "import type { SafeProfile } from '@gatehouse/platform';\nexport type Owner = SafeProfile;",
      "export { useUser } from '@gatehouse/platform/react';",
      "export const load = () => import('@gatehouse/platform/server');",
      "export type Owner = import('@gatehouse/platform').SafeProfile;",
    ],
  },
  [
    "import { store } from '../store.server';\nexport const rows = (id: string) => store().selectFrom('account').where('id', '=', id).execute();",
    "export const cookie = '__Host-site-session';",
  ],
  [],
  'app/accounts.server.ts',
);

phrasings(
  'site/identities-apart reports a boundary that imports site accounts [W29]',
  rule,
  {
    imported: [
      "import { checkAccount } from '../accounts.server';\nexport { checkAccount };",
      "import { mailOf } from '~/accounts/mails.server';\nexport { mailOf };",
      "import type { Account } from '@gatehouse/accounts';\nexport type User = Account;",
    ],
  },
  ["import { isApiPath } from '@gatehouse/frame';\nexport { isApiPath };"],
  [],
  'app/platform.server.ts',
);
