/** What caches keep is made without its visitor, and is sent whole. */
import { phrasings } from '../../test/rule-tester.ts';
import rule from './public-routes.js';

const imports = `import { data, type LoaderFunctionArgs } from '@remix-run/node';
import { checkPlatformUser, requirePlatformSdk } from '~/platform.server';
import { requireAccount } from '../accounts.server';
import type { RouteHandle } from '~/route-handle';
`;
const cached =
  "export const handle = { access: 'none', cache: { maxAge: 60 } } satisfies RouteHandle;\n";
const page = (loader: string, handle = cached, more = '') =>
  `${imports}${handle}${more}\nexport async function loader(args: LoaderFunctionArgs) {\n  ${loader}\n}\nexport default function Page() { return <p>Words</p>; }`;
const resource = (loader: string) =>
  `${imports}${cached}export async function loader(args: LoaderFunctionArgs) {\n  ${loader}\n}`;

phrasings(
  'site/public-routes reports what a cached response must not be made of [W19] [W20]',
  rule,
  {
    guard: [
      page('const guard = await checkPlatformUser(args.context);\n  return { isIn: guard.ok };'),
      page('const { user } = await requirePlatformSdk(args);\n  return user;'),
      page('const { account } = await requireAccount(args);\n  return { name: account.name };'),
      page(
        'return { isIn: await isIn(args) };',
        cached,
        'async function isIn(args: LoaderFunctionArgs) { return (await checkPlatformUser(args.context)).ok; }',
      ),
      page(
        'return Promise.all([1].map(async () => (await checkPlatformUser(args.context)).ok));',
        "const kept = { cache: { maxAge: 60 } };\nexport const handle: RouteHandle = { access: 'none', ...kept };\n",
      ),
      page(
        'try {\n    await requirePlatformSdk(args);\n    return { isIn: true };\n  } catch {\n    return { isIn: false };\n  }',
      ),
      resource(
        'const guard = await checkPlatformUser(args.context);\n  return Response.json(guard.ok);',
      ),
      `${imports}${cached}export const loader = async ({ context }: LoaderFunctionArgs) => (await checkPlatformUser(context)).ok;`,
    ],
    reads: [
      page("return { theme: args.request.headers.get('cookie') };"),
      page('return { from: args.context.clientAddress };'),
      page('const { request } = args;\n  return { all: [...request.headers] };'),
      resource("return new Response(args.request.headers.get('accept-language'));"),
    ],
    deferred: [
      page('return { late: Promise.resolve(1) };'),
      page('return data({ list: [{ late: Promise.resolve(1) }] });'),
      page('return { late: load() };', cached, "const load = async () => 'words';"),
    ],
  },
  [
    page("return data({ title: 'A kiln' }, { headers: { etag: `kiln-${1}` } });"),
    page('return { q: new URL(args.request.url).searchParams.get("q"), id: args.params["id"] };'),
    page(
      "if (!args.params['id']) throw new Response(null, { status: 404 });\n  return { at: new Date(0), list: ['a'] };",
    ),
    resource("return new Response(args.request.headers.get('range') ?? '');"),
    resource(
      'return fetchAll(args.request.signal);\n}\nasync function fetchAll(signal: AbortSignal) { return Response.json({ aborted: signal.aborted });',
    ),
    // Its form is its visitor's.
    `${page('return {};')}\nexport async function action(args: LoaderFunctionArgs) { return (await requirePlatformSdk(args)).user; }`,
    // Not cached.
    page(
      'return { late: Promise.resolve((await checkPlatformUser(args.context)).ok) };',
      "export const handle = { access: 'none' };\n",
    ),
    page('return { late: Promise.resolve(1) };', ''),
    `${imports}${cached}export default function Page() { return <p>Words</p>; }`,
  ],
);

const inLayout = page('return {};');
phrasings(
  'site/public-routes reports a guard in a layout over the page',
  rule,
  { above: [inLayout] },
  [],
  [],
  'app/routes/public-in-layout.tsx',
);
phrasings(
  'site/public-routes reports no guard beside the page',
  rule,
  {},
  [inLayout],
  [],
  'app/routes/open-public.tsx',
);
