// auth: platform
/** The platform's profile leaves the server only as named fields. */
import { phrasings } from '../../test/rule-tester';
import rule from './profile-stays';

const imports =
  "import { data, json, type LoaderFunctionArgs } from '@remix-run/node';\nimport { checkPlatformUser, requirePlatformUser, userStateOf, type PassedGuard } from '~/platform/platform.server';\nimport { toSafeProfile } from '~/platform/profile';\nimport { createPlatformSdk } from '~/platform/sdk/sdk.server';\ndeclare const log: { info(...line: unknown[]): void };\n";
const loader = (body: string, around = '') =>
  `${imports}${around}\nexport async function loader(args: LoaderFunctionArgs) {\n  const guard = await requirePlatformUser(args);\n  ${body}\n}`;

phrasings(
  'site/profile-stays reports a profile that leaves the server [W08] [W20]',
  rule,
  {
    user: [
      loader('return { user: guard.user };'),
      loader('return guard.user;'),
      loader('return data({ ...(guard.user as object) });'),
      loader('const { user } = guard;\n  return { user };'),
      loader('const { user: profile, ok } = guard;\n  return { profile, ok };'),
      loader('const { ok, ...others } = guard;\n  return { ok, others };'),
      loader(
        'const { user } = await requirePlatformUser(args);\n  return json({ user, ok: guard.ok });',
      ),
      loader('log.info(guard.user);\n  return null;'),
      loader('return new Response(JSON.stringify(guard.user));'),
      loader("return { name: (guard['user'] as { name: string }).name };"),
      loader('const user = guard.user as { email: string };\n  return { email: user.email };'),
      loader('return nameOf(guard);', 'const nameOf = ({ user }: PassedGuard) => String(user);'),
      loader('return `${String(guard.user)}`;'),
      // Called rather than passed on.
      loader(
        'const odd = guard as PassedGuard & { user: typeof toSafeProfile };\n  return odd.user({});',
      ),
      `${imports}export const loader = async ({ context }: LoaderFunctionArgs) => {\n  const guard = await checkPlatformUser(context);\n  return guard.ok ? { user: guard.user } : null;\n};`,
    ],
    guard: [
      loader('return guard;'),
      loader('return { guard };'),
      loader('return { signedIn: guard };'),
      loader('return { ...guard };'),
      loader('return [guard];'),
      loader('return json(guard);'),
      loader('log.info(guard);\n  return null;'),
      loader('return JSON.stringify(guard);'),
      loader('return { guard: await checkPlatformUser(args.context) };'),
      loader('return data(await checkPlatformUser(args.context));'),
      loader('return [await checkPlatformUser(args.context)];'),
      loader('log.info((await checkPlatformUser(args.context)) ?? null);\n  return null;'),
      `${imports}export const loader = async ({ context }: LoaderFunctionArgs) => {\n  const guard = await checkPlatformUser(context);\n  return guard.ok ? guard : null;\n};`,
      `${imports}export const loader = async ({ context }: LoaderFunctionArgs) => {\n  const guard = await checkPlatformUser(context);\n  return (guard.ok && guard) || null;\n};`,
      `${imports}export const loader = ({ context }: LoaderFunctionArgs) => checkPlatformUser(context);`,
      `${imports}export const loader = async (args: LoaderFunctionArgs) => await requirePlatformUser(args);`,
    ],
  },
  [
    loader('return { profile: toSafeProfile(guard.user) };'),
    loader('const { displayName } = toSafeProfile(guard.user);\n  return { displayName };'),
    loader('return { state: userStateOf(guard) };'),
    loader('return createPlatformSdk(guard).generations.list();'),
    loader('return createPlatformSdk(await requirePlatformUser(args)).generations.list();'),
    loader('return { state: userStateOf(await checkPlatformUser(args.context)) };'),
    loader(
      'return listed(guard);',
      'const listed = (guard: PassedGuard) => createPlatformSdk(guard).generations.list();',
    ),
    loader(
      "const page = { user: { name: 'a made-up person' } };\n  return { user: page.user, ok: guard.ok };",
    ),
    `${imports}async function signedIn(args: LoaderFunctionArgs) {\n  return requirePlatformUser(args);\n}\nexport const loader = async (args: LoaderFunctionArgs) => ({ profile: toSafeProfile((await signedIn(args)).user) });`,
    `${imports}export const loader = async ({ context }: LoaderFunctionArgs) => {\n  const guard = await checkPlatformUser(context);\n  if (!guard.ok) return data({ status: guard.status }, { status: 403 });\n  const { ok } = guard;\n  return { ok };\n};`,
  ],
);
