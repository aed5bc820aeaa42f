/** The platform's profile leaves the server only as named fields. */
import { phrasings } from '../../test/rule-tester.ts';
import rule from './profile-stays.js';

const imports =
  "import { data, json, type LoaderFunctionArgs } from '@remix-run/node';\nimport { checkPlatformUser, createPlatformSdk, requirePlatformSdk, requirePlatformUser } from '~/platform.server';\nimport { guardFailureResponse, refusalOf, userStateOf, type PassedGuard } from '@gatehouse/platform/server';\nimport { toSafeProfile, type SafeProfile } from '@gatehouse/platform';\ndeclare const log: { info(...line: unknown[]): void };\n";
const refused = (body: string, around = '') =>
  `${imports}${around}\nexport async function loader({ context }: LoaderFunctionArgs) {\n  const guard = await checkPlatformUser(context);\n  if (!guard.ok) {\n    ${body}\n  }\n  return null;\n}`;
const page = '\nexport default function Page() {\n  return null;\n}';
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
      loader('const { user } = guard;\n  log.info(user);\n  return toSafeProfile(user);'),
      loader('let user = guard.user;\n  user ??= {};\n  return { user };'),
      loader('return shown(guard.user);', 'const shown = (user: unknown) => JSON.stringify(user);'),
      // Called rather than passed on.
      loader(
        'const odd = guard as PassedGuard & { user: typeof toSafeProfile };\n  return odd.user({});',
      ),
      `${imports}export const loader = async ({ context }: LoaderFunctionArgs) => {\n  const guard = await checkPlatformUser(context);\n  return guard.ok ? { user: guard.user } : null;\n};`,
      loader("const key = 'user';\n  return { me: guard[key] };"),
      loader("const key = 'user';\n  const { [key]: me } = guard;\n  return { me };"),
    ],
    logged: [
      loader('const profile = toSafeProfile(guard.user);\n  log.info(profile);\n  return null;'),
      loader('console.log(toSafeProfile(guard.user));\n  return null;'),
      loader('console.info({ visitor: toSafeProfile(guard.user) });\n  return null;'),
      loader('log.info({ ...toSafeProfile(guard.user), seen: true });\n  return null;'),
      loader('log.info(`visitor ${JSON.stringify(toSafeProfile(guard.user))}`);\n  return null;'),
      loader(
        'const line = JSON.stringify(toSafeProfile(guard.user));\n  log.info(line);\n  return null;',
      ),
      loader("log.info('visitor ' + String(toSafeProfile(guard.user)));\n  return null;"),
      loader('log.info([toSafeProfile(guard.user)]);\n  return null;'),
      loader(
        'const state = userStateOf(guard);\n  if (state.status === "signed-in") console.debug(state);\n  return null;',
      ),
      loader('const { warn } = console;\n  warn(toSafeProfile(guard.user));\n  return null;'),
      loader('process.stdout.write(JSON.stringify(toSafeProfile(guard.user)));\n  return null;'),
      loader(
        'note(toSafeProfile(guard.user));\n  return null;',
        'function note(line: unknown) {\n  log.info({ line });\n}',
      ),
      loader(
        'note(toSafeProfile(guard.user));\n  return null;',
        'const note = (line: unknown) => console.log(line);',
      ),
      loader(
        'note(toSafeProfile(guard.user));\n  return null;',
        'const note = (profile: SafeProfile) => {\n  const { displayName } = profile;\n  log.info(displayName);\n};\nconst other = (profile: SafeProfile) => log.info(profile);\nvoid other;',
      ),
      loader(
        'const { user } = await requirePlatformSdk(args);\n  log.info({ email: user.email });\n  return null;',
      ),
      loader(
        'const { key, ...rest } = toSafeProfile(guard.user);\n  console.info({ key, rest });\n  return null;',
      ),
      loader("console.info(Object.values(toSafeProfile(guard.user)).join(' '));\n  return null;"),
    ],
    body: [
      refused('return { problem: JSON.stringify(guard.body) };') + page,
      refused('return data({ problem: JSON.stringify(guard.body) }, { status: guard.status });') +
        page,
      refused('return Response.json(guard.body, { status: guard.status });') + page,
      refused('return { problem: `The platform says ${String(guard.body)}` };') + page,
      refused('return { body: guard.body };') + page,
      refused('const { body } = guard;\n    return { body };') + page,
      refused('const { body: problem, status } = guard;\n    return data(problem, { status });') +
        page,
      refused('const { ok, ...rest } = guard;\n    return { ok, rest };') + page,
      refused('return { ...guard };') + page,
      refused('return { refusal: guard };') + page,
      refused('return guard;') + page,
      refused('return JSON.stringify(guard);') + page,
      refused(
        'return { problem: textOf(guard.body) };',
        'const textOf = (body: unknown) => JSON.stringify(body);',
      ) + page,
      refused('log.info(guard.body);'),
      refused('return { problem: JSON.stringify(guard.body) };'),
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
      loader('const keep = <T,>(value: T) => value;\n  return keep({ guard });'),
      loader(
        "const answer: Record<string, unknown> = {};\n  answer['guard'] = guard;\n  return answer;",
      ),
      loader('return requirePlatformUser(args).then((one) => ({ one }));'),
      loader('return requirePlatformUser(args).then(json);'),
    ],
  },
  [
    loader(
      'const [passed] = await Promise.all([requirePlatformUser(args)]);\n  return { profile: toSafeProfile(passed.user) };',
    ),
    loader('return { profile: toSafeProfile(guard.user) };'),
    loader('const { user } = guard;\n  return { profile: toSafeProfile(user) };'),
    loader(
      'const { user } = await requirePlatformUser(args);\n  return { profile: toSafeProfile(user) };',
    ),
    loader(
      'const { user: visitor } = guard;\n  const { displayName } = toSafeProfile(visitor);\n  return { displayName };',
    ),
    loader('const { user: visitor = null } = guard;\n  return toSafeProfile(visitor).displayName;'),
    loader('const { user } = guard;\n  const visitor = user;\n  return toSafeProfile(visitor);'),
    loader('const user = guard.user;\n  return toSafeProfile(user);'),
    loader(
      'const user = guard.user as object | null;\n  return user ? toSafeProfile(user) : null;',
    ),
    loader(
      'const { user } = guard;\n  if (user === null || !user) return null;\n  return toSafeProfile(user ?? {});',
    ),
    loader('return { isKnown: Boolean(guard.user), profile: toSafeProfile(guard.user!) };'),
    loader('return guard.user && toSafeProfile(guard.user);'),
    loader(
      'return shown(guard.user);',
      'const shown = (user: unknown) => toSafeProfile(user).displayName;',
    ),
    loader(
      'return shown(guard);',
      'function shown({ user }: PassedGuard) {\n  return toSafeProfile(user);\n}',
    ),
    loader(
      'const profile = toSafeProfile(guard.user);\n  log.info({ visitor: profile.key });\n  return { profile };',
    ),
    loader('const { key } = toSafeProfile(guard.user);\n  console.log(key);\n  return null;'),
    loader('log.info(toSafeProfile(guard.user).key);\n  return null;'),
    loader(
      'note(toSafeProfile(guard.user));\n  return null;',
      'function note(profile: SafeProfile) {\n  log.info(profile.key);\n}',
    ),
    refused('return guardFailureResponse(guard);'),
    refused('return data({ code: refusalOf(guard).code }, { status: guard.status });') + page,
    refused('return guard.body === null ? null : refusalOf(guard);') + page,
    refused('return Response.json(guard.body, { status: guard.status });'),
    refused(
      'const { body, status } = guard;\n    return new Response(JSON.stringify(body), { status });',
    ),
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

/** The same with the declarations of an installed package. */
const installed = (body: string) =>
  `import { requirePlatformUser } from '../platform.server';
import { toSafeProfile } from '../../installed/@gatehouse/platform';
const own = { toSafeProfile: (user: unknown) => user };
export async function loader(args: object) {
  const guard = await requirePlatformUser(args);
  ${body}
}`;

phrasings(
  'site/profile-stays knows the profile functions of an installed package [W20]',
  rule,
  {
    user: [
      installed('return { user: guard.user };'),
      installed('return own.toSafeProfile(guard.user);'),
    ],
    logged: [installed('console.log(toSafeProfile(guard.user));')],
  },
  [installed('return toSafeProfile(guard.user).displayName;')],
);
