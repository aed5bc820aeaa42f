/** Before the guard has passed, a loader or action may only read the method and address. */
import { phrasings } from '../../test/rule-tester.ts';
import rule from './guard-first.js';

const imports = `import { data, json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/node';
import { checkPlatformUser, createPlatformSdk, requirePlatformSdk, requirePlatformUser } from '~/platform.server';
import { guardFailureResponse, refusal, respondWith, userStateOf, type GuardResult, type PassedGuard } from '@gatehouse/platform/server';
import { loginAddress } from '@gatehouse/platform';
import { readFileSync } from 'node:fs';
declare const db: { posts(): Promise<string[]>; log(line: string): void };
`;
const guarded = `const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);`;
const loader = (body: string, around = '') =>
  `${imports}${around}\nexport async function loader({ request, params, context }: LoaderFunctionArgs) {\n  ${body}\n}`;
const action = (body: string, around = '') =>
  `${imports}${around}\nexport async function action({ request, params, context }: ActionFunctionArgs) {\n  ${body}\n}`;
/** A loader that is given its arguments whole, beside a module of the site's own. */
const own = (body: string, around = '') =>
  `${imports}import { requireAccount } from '~/accounts.server';\n${around}\nexport const loader = async (args: LoaderFunctionArgs) => {\n  ${body}\n};`;
const rest = 'return respondWith(async () => createPlatformSdk(guard).generations.list());';

phrasings(
  'site/guard-first reports what runs before the guard [W09] [W19]',
  rule,
  {
    missing: [
      loader("if (request.method === 'POST') throw new Response(null, { status: 405 });"),
      `${imports}export const loader = () => { db.log('asked'); };`,
      `${imports}export async function action({ request }: ActionFunctionArgs) { if (request.method === 'PUT') { return refusal(405, 'no'); } }`,
      `${imports}export { loader } from '@remix-run/react/nothing';\nexport const action = db.log;`,
    ],
    reads: [
      action(`const form = await request.formData();\n  ${guarded}\n  ${rest}`),
      action(`const body: unknown = await request.json();\n  ${guarded}\n  ${rest}`),
      action(
        `const [guard, form] = await Promise.all([checkPlatformUser(context), request.formData()]);\n  return guard.ok && form ? refusal(404, 'x') : null;`,
      ),
      loader(`const cookie = request.headers.get('cookie');\n  ${guarded}\n  ${rest}`),
      loader(`const { headers } = request;\n  ${guarded}\n  return headers.get('cookie');`),
      `${imports}export async function loader({ request: { headers }, context }: LoaderFunctionArgs) {\n  ${guarded}\n  return headers.get('x');\n}`,
      `${imports}export const action = async (args: ActionFunctionArgs) => {\n  const words = await args.request.text();\n  const guard = await requirePlatformUser(args);\n  return { words, sdk: createPlatformSdk(guard) };\n};`,
      `${imports}export async function action(args: ActionFunctionArgs) {\n  const form = await args.request.formData();\n  const { sdk } = await requirePlatformSdk(args);\n  return [form, await sdk.generations.list()];\n}`,
      action(`const copy = new Request(request);\n  ${guarded}\n  return copy.url;`),
      action(
        `const form = await read(request);\n  ${guarded}\n  return form.get('x');`,
        'const read = (sent: Request) => sent.formData();',
      )
        .replace('await read', 'read')
        .replace("form.get('x')", 'form'),
      `${imports}export async function action(args: ActionFunctionArgs, form = args.request.formData()) {\n  await requirePlatformSdk(args);\n  return form;\n}`,
      action(`const r = request;\n  const body = r['body'];\n  ${guarded}\n  return body;`),
    ],
    works: [
      loader(`const posts = await db.posts();\n  ${guarded}\n  return posts;`),
      loader(`void db.posts();\n  ${guarded}\n  ${rest}`),
      loader(
        `const asked = checkPlatformUser(context);\n  const posts = db.posts();\n  const guard = await asked;\n  return guard.ok ? posts : null;`,
      ),
      loader(
        `const [guard, posts] = await Promise.all([checkPlatformUser(context), db.posts()]);\n  return guard.ok ? posts : null;`,
      ),
      loader(`const words = readFileSync('words.txt', 'utf8');\n  ${guarded}\n  return words;`),
      loader(`if (params.id) {\n    await db.posts();\n  }\n  ${guarded}\n  ${rest}`),
      loader(
        `const posts = await all();\n  ${guarded}\n  return posts;`,
        'async function all() { return db.posts(); }',
      ),
      loader('return respondWith(async () => db.posts());'),
      `${imports}const load = async () => ({ posts: await db.posts() });\nexport { load as loader };`,
      `${imports}export const loader = () => db.posts();`,
      `${imports}const handle = { access: 'platform' } as const;\nexport { handle };\nexport const action = async () => { await db.posts(); return null; };`,
      `${imports}export const handle = { access: 'account' };\nexport const action = async () => { await db.posts(); return null; };`,
      `${imports}export const loader = async (args: LoaderFunctionArgs) => { await checkPlatformUser(args.context); return db.posts(); };`,
      loader(
        'const guard = await checkPlatformUser(context);\n  const posts = await db.posts();\n  if (!guard.ok) return guardFailureResponse(guard);\n  return posts;',
      ),
      loader('return checkPlatformUser(context).then(() => db.posts());'),
      loader(
        'try {\n    await requirePlatformUser({ request, context });\n  } catch {\n    db.log("signed out");\n  }\n  return db.posts();',
      ),
      loader(
        'const guard = await timed(async () => { await db.posts(); return checkPlatformUser(context); });\n  return guard.ok ? 1 : 2;',
        'async function timed<T>(run: () => Promise<T>) { return await run(); }',
      ),
      loader(
        'const posts = await timed(() => db.posts());\n  const guard = await checkPlatformUser(context);\n  return guard.ok ? posts : null;',
        'async function timed<T>(run: () => Promise<T>) { return await run(); }',
      ),
      loader(
        `const posts = await db.posts();\n  const { sdk } = await requirePlatformSdk({ request, context });\n  return [posts, await sdk.generations.list()];`,
      ),
      `${imports}export async function loader(args: LoaderFunctionArgs) {\n  const [posts, { sdk }] = await Promise.all([db.posts(), requirePlatformSdk(args)]);\n  return [posts, await sdk.generations.list()];\n}`,
      loader(`remember();\n  ${guarded}\n  ${rest}`, 'function remember() { void db.posts(); }'),
      own(
        'const { id = await db.posts() } = args.params;\n  await requirePlatformSdk(args);\n  return id;',
      ),
      own(
        "const posts = ['a', 'b'].map(() => db.posts());\n  await requirePlatformSdk(args);\n  return Promise.all(posts);",
      ),
      own(
        'setTimeout(() => void db.posts(), 10);\n  await requirePlatformSdk(args);\n  return null;',
      ),
      own(
        'const posts = new Posts();\n  await requirePlatformSdk(args);\n  return posts;',
        'class Posts { constructor() { void db.posts(); } }',
      ),
      own(
        'await Promise.race([requirePlatformSdk(args), new Promise((resolve) => setTimeout(resolve, 500))]);\n  return { secret: 1 };',
      ),
      `${imports}const withSdk = (run: () => Promise<string[]>) => async (args: LoaderFunctionArgs) => { const posts = await run(); await requirePlatformSdk(args); return posts; };\nexport const loader = withSdk(() => db.posts());`,
    ],
    responds: [
      loader("return { opening: ['9:00', '17:00'] };"),
      loader('return null;'),
      `${imports}export const loader = () => ({ words: 'hello' });`,
      `${imports}export const loader = () => Response.json({ words: 'hello' });`,
      loader(`if (!params.id) return { empty: true };\n  ${guarded}\n  ${rest}`),
      // The response does not wait for the guard.
      own('return { late: requirePlatformSdk(args).then(({ sdk }) => sdk.bookmarks.list()) };'),
      // The guard of another kind of account.
      own('const { account } = await requireAccount(args);\n  return account.name;'),
      own(
        'const { user } = await requirePlatformSdk(args);\n  return user;',
        "export const handle = { access: 'account' };",
      ),
      own(
        'try {\n    const { sdk } = await requirePlatformSdk(args);\n    return await sdk.bookmarks.list();\n  } catch {\n    return [];\n  }',
      ),
      own(
        'return { secret: 1 };',
        "import type { RouteHandle } from '~/route-handle';\nexport const handle: RouteHandle = {\n  // Not access: 'none', which would open it.\n  access: 'platform',\n};",
      ),
    ],
    ignored: [
      loader('await checkPlatformUser(context);\n  return { secret: 1 };'),
      action('await Promise.resolve(await checkPlatformUser(context));\n  return null;').replace(
        'await Promise.resolve(await checkPlatformUser(context))',
        '(await checkPlatformUser(context))',
      ),
      loader('const { ok } = await checkPlatformUser(context);\n  return { secret: 1 };'),
      loader('const guard = await checkPlatformUser(context);\n  return { secret: 1 };'),
      loader(
        'const guard = await checkPlatformUser(context);\n  db.log(guard.ok.toString());\n  return { secret: 1 };',
      ),
      loader(
        'const [guard] = await Promise.all([checkPlatformUser(context)]);\n  return { secret: 1 };',
      ),
      loader('return checkPlatformUser(context).then(() => ({ secret: 1 }));'),
      loader(
        'await requirePlatformSdk({ request, context }).catch(() => null);\n  return { secret: 1 };',
      ),
      loader(
        'await requirePlatformUser({ request, context }).catch(() => null);\n  return { secret: 1 };',
      ),
      action(
        'const guard = await checkPlatformUser(context);\n  const form = await request.formData();\n  return { words: form.get("words") };',
      ),
      loader('let guard;\n  guard = await checkPlatformUser(context);\n  return { secret: 1 };'),
      own('await Promise.allSettled([requirePlatformSdk(args)]);\n  return { secret: 1 };'),
      own(
        "await requirePlatformSdk(args).then(({ user }) => user.key, () => '');\n  return { secret: 1 };",
      ),
      own('await requirePlatformSdk(args).catch(() => ({}));\n  return { secret: 1 };'),
      own(
        "const guard = await checkPlatformUser(args.context);\n  if (!guard.ok) console.info('nobody');\n  return { secret: 1 };",
      ),
      own(
        'await userOf(args);\n  return { secret: 1 };',
        'async function userOf(args: LoaderFunctionArgs) { try { return (await requirePlatformSdk(args)).user; } catch { return null; } }',
      ),
    ],
  },
  [
    loader(`${guarded}\n  ${rest}`),
    loader(
      'const guard = await requirePlatformUser({ request, context });\n  return createPlatformSdk(guard).generations.list();',
    ),
    `${imports}export async function loader(args: LoaderFunctionArgs) {\n  const { user, sdk } = await requirePlatformSdk(args);\n  return { user, list: await sdk.generations.list() };\n}`,
    loader(
      'const { workspace } = params;\n  const { sdk } = await requirePlatformSdk({ request, context }, { workspace });\n  return sdk.generations.list();',
    ),
    loader('await requirePlatformUser({ request, context });\n  return null;'),
    // Helpers that call the guard, and return what the route needs of it.
    own(
      'const sdk = await sdkOf(args);\n  return sdk.bookmarks.list();',
      'const sdkOf = async (args: LoaderFunctionArgs) => (await requirePlatformSdk(args)).sdk;',
    ),
    own(
      'const user = await userOf(args);\n  if (!user) throw redirect("/");\n  return db.posts();',
      'async function userOf(args: LoaderFunctionArgs) { try { return (await requirePlatformSdk(args)).user; } catch { return null; } }',
    ),
    own(
      'const asked = requirePlatformSdk(args).then(({ sdk }) => sdk);\n  const sdk = await asked;\n  return sdk.bookmarks.list();',
    ),
    `${imports}import type { PlatformSdk } from '~/platform.server';\nconst withSdk = <T,>(run: (sdk: PlatformSdk) => Promise<T>) => async (args: LoaderFunctionArgs) => { const { sdk } = await requirePlatformSdk(args); return run(sdk); };\nexport const loader = withSdk((sdk) => sdk.bookmarks.list());`,
    `${imports}const routes = { loader: async (args: LoaderFunctionArgs) => (await requirePlatformSdk(args)).user };\nexport const { loader } = routes;`,
    // An error of the SDK comes after the guard.
    own(
      'try {\n    const { sdk } = await requirePlatformSdk(args);\n    return await sdk.bookmarks.list();\n  } catch (error) {\n    if (error instanceof PlatformSdkError) return [];\n    throw error;\n  }',
      "import { PlatformSdkError } from '@gatehouse/platform/server';",
    ),
    own(
      'try {\n    const { sdk } = await requirePlatformSdk(args);\n    return await sdk.bookmarks.list();\n  } catch (error) {\n    return { code: refusalIn(error).code };\n  }',
      "import { refusalIn } from '@gatehouse/platform/server';",
    ),
    own(
      "return externalRedirect('https://pay.example/', ['https://pay.example']);",
      "import { externalRedirect } from '@gatehouse/server/external-redirect';",
    ),
    own(
      'return { hours: 9 };',
      "const open = { access: 'none' } as const;\nexport const handle = { ...open };",
    ),
    loader(
      'const guard = await timed(() => checkPlatformUser(context));\n  return guard.ok ? db.posts() : null;',
      'async function timed<T>(run: () => Promise<T>) {\n  const begun = performance.now();\n  try {\n    return await run();\n  } finally {\n    db.log(String(performance.now() - begun));\n  }\n}',
    ),
    loader(
      `const { signal } = request;\n  ${guarded}\n  return fetchAll(signal);`,
      'declare function fetchAll(signal: AbortSignal): Promise<string>;',
    ),
    loader('const { ok } = await checkPlatformUser(context);\n  return ok ? db.posts() : null;'),
    loader(
      'const guard = await checkPlatformUser(context);\n  const isIn = guard.ok;\n  if (!isIn) throw redirect("/");\n  return db.posts();',
    ),
    loader(
      'if (!(await checkPlatformUser(context)).ok) throw redirect("/");\n  return db.posts();',
    ),
    loader('return checkPlatformUser(context).then((guard) => guard.ok ? db.posts() : null);'),
    loader('return { user: userStateOf(await checkPlatformUser(context)) };'),
    loader(
      'const guard = await checkPlatformUser(context);\n  const user = userStateOf(guard);\n  return { user, posts: user.status === "signed-in" ? await db.posts() : [] };',
    ),
    loader(
      'const guard = await checkPlatformUser(context);\n  refuse(guard);\n  return db.posts();',
      'function refuse(guard: GuardResult) { if (!guard.ok) throw redirect("/"); }',
    ),
    loader(
      'const [guard] = await Promise.all([checkPlatformUser(context)]);\n  return guard.ok ? db.posts() : null;',
    ),
    loader(
      'const guard = await requirePlatformUser({ request, context }).catch(() => null);\n  return guard && db.posts();',
    ),
    loader(
      'switch ((await checkPlatformUser(context)).ok) {\n    case true: return db.posts();\n    default: return null;\n  }',
    ),
    action(
      "const guard = await checkPlatformUser(context);\n  const form = await request.formData().catch(() => null);\n  if (!guard.ok) return data({ words: form?.get('words') }, { status: guard.status });\n  return db.posts();",
    ),
    loader(
      `const cursor = new URL(request.url).searchParams.get('cursor') ?? undefined;\n  ${guarded}\n  return cursor;`,
    ),
    loader(
      `const { searchParams } = new URL(request.url);\n  const page = Number(params.page ?? '1');\n  ${guarded}\n  return [page, searchParams.get('q')];`,
    ),
    loader(
      `const cursor = cursorOf(request);\n  ${guarded}\n  return cursor;`,
      "const cursorOf = (asked: Request) => new URL(asked.url).searchParams.get('cursor');",
    ),
    loader(
      'const guard = await signedIn({ request, context });\n  return guard.ok;',
      'async function signedIn(args: Pick<LoaderFunctionArgs, "request" | "context">): Promise<PassedGuard> { return requirePlatformUser(args); }',
    ),
    loader(
      'return requirePlatformUser({ request, context }).then((guard) => createPlatformSdk(guard).generations.list());',
    ),
    loader(
      'const asked = checkPlatformUser(context);\n  const guard = await asked;\n  return guard.ok ? 1 : 2;',
    ),
    loader(
      'try {\n    await requirePlatformUser({ request, context });\n  } catch (error) {\n    throw error;\n  }\n  return db.posts();',
    ),
    action(
      `if (request.method !== 'POST') return refusal(405, 'method_not_allowed');\n  ${guarded}\n  return request.json();`,
    ),
    action(
      `if (request.method !== 'POST') return data({ ok: false }, { status: 405 });\n  ${guarded}\n  return request.json();`,
    ),
    action(
      `switch (request.method) {\n    case 'POST': {\n      ${guarded}\n      return request.json();\n    }\n    default:\n      return refusal(405, 'method_not_allowed');\n  }`,
    ),
    action(
      "const guard = await checkPlatformUser(context);\n  const form = await request.formData();\n  if (!guard.ok) return data({ words: form.get('words') }, { status: guard.status });\n  return null;",
    ),
    `${imports}export const action = () => refusal(405, 'method_not_allowed', { allow: 'GET, HEAD' });`,
    `${imports}export const loader = notAllowed;\nfunction notAllowed() {\n  return refusal(405, 'method_not_allowed', { allow: 'POST' });\n}`,
    `${imports}export const loader = () => redirect('/posts');`,
    `${imports}export function loader(): never {\n  throw new Response(null, { status: 404 });\n}\nexport const action = loader;`,
    `${imports}export const handle = { access: 'none' };\nexport const loader = () => db.posts();`,
    `${imports}import type { RouteHandle } from '~/route-handle';\nexport const handle = { access: 'machine', body: 64 * 1024 } satisfies RouteHandle;\nexport const action = ({ request }: ActionFunctionArgs) => request.text();`,
    `${imports}import type { RouteHandle } from '~/route-handle';\nexport const handle: RouteHandle = { access: 'none' };\nexport const loader = () => db.posts();`,
    `${imports}const withUser = <T,>(run: (args: LoaderFunctionArgs & { guard: PassedGuard }) => T) => async (args: LoaderFunctionArgs) => run({ ...args, guard: await requirePlatformUser(args) });\nexport const loader = withUser(({ guard }) => createPlatformSdk(guard).generations.list());`,
    `${imports}export default function Page() {\n  return <p>no loader</p>;\n}`,
    loader(
      "const guard = await checkPlatformUser(context);\n  if (!guard.ok) return redirect(loginAddress('/x'));\n  return json({});",
    ),
  ],
);

const both = (body: string) =>
  `import { requirePlatformSdk } from '../platform.server';
import { checkAccount, requireAccount } from '../accounts.server';
export const handle = { access: 'both' };
export async function loader(args: { request: Request; context: object }) {
  ${body}
}`;

phrasings(
  'site/guard-first wants both guards in a route for both kinds of account [W09] [W29]',
  rule,
  {
    missing: [both('await requirePlatformSdk(args);'), both('await requireAccount(args);')],
    responds: [
      both('const { sdk } = await requirePlatformSdk(args);\n  return sdk;'),
      both('const { account } = await requireAccount(args);\n  return account.id;'),
    ],
    works: [
      both(
        "const { sdk } = await requirePlatformSdk(args);\n  await sdk.submit({ prompt: 'a fox' });\n  return requireAccount(args);",
      ),
      both(
        "const { db } = await requireAccount(args);\n  await db.selectFrom('note').execute();\n  return requirePlatformSdk(args);",
      ),
    ],
    ignored: [
      both('await requirePlatformSdk(args);\n  await checkAccount(args);\n  return { secret: 1 };'),
    ],
  },
  [
    both(
      "const { sdk } = await requirePlatformSdk(args);\n  const { account, db } = await requireAccount(args);\n  await sdk.submit({ prompt: 'a fox' });\n  return db.selectFrom('note').where('account_id', '=', account.id).execute();",
    ),
    both(
      'const [{ sdk }, { account }] = await Promise.all([requirePlatformSdk(args), requireAccount(args)]);\n  return [sdk, account];',
    ),
  ],
);

/** The same with the declarations of an installed package, whose functions have no body. */
const installed = (body: string) =>
  `import { checkPlatformUser, createPlatformSdk, requirePlatformSdk, requirePlatformUser } from '../platform.server';
export async function loader({ request, context }: { request: Request; context: object }) {
  ${body}
}`;

phrasings(
  'site/guard-first knows the guard of an installed package [W09] [W19]',
  rule,
  {
    missing: [installed('createPlatformSdk;')],
    works: [
      installed("await createPlatformSdk({} as never).submit({ prompt: 'a fox' });"),
      installed(
        "void createPlatformSdk({} as never).submit({ prompt: 'a fox' });\n  await requirePlatformUser({ request, context });",
      ),
      installed(
        "await createPlatformSdk({} as never).submit({ prompt: 'a fox' });\n  await requirePlatformSdk({ request, context });",
      ),
    ],
    reads: [
      installed(
        'const form = await request.formData();\n  await requirePlatformUser({ request, context });\n  return form;',
      ),
    ],
    ignored: [
      installed('await checkPlatformUser(context);\n  return { secret: 1 };'),
      installed('const guard = await checkPlatformUser(context);\n  return { secret: 1 };'),
    ],
  },
  [
    installed(
      "const guard = await requirePlatformUser({ request, context });\n  await createPlatformSdk(guard).submit({ prompt: 'a fox' });",
    ),
    installed(
      "const { sdk } = await requirePlatformSdk({ request, context });\n  await sdk.submit({ prompt: 'a fox' });",
    ),
    installed('return (await checkPlatformUser(context)).ok;'),
    installed('const { ok } = await checkPlatformUser(context);\n  return ok ? 1 : 2;'),
  ],
);
