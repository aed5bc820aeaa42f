/** The complete configuration reports nothing in correct pages. */
import { expect, test } from 'vitest';
import { rules } from './rules/index.js';
import { messagesOf } from './test/messages.ts';

const remix = `import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Form, Link, NavLink, useActionData, useFetcher, useLoaderData, useNavigate, useSearchParams } from '@remix-run/react';
import { useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { checkPlatformUser, createPlatformSdk, requirePlatformUser } from '~/platform.server';
import { guardFailureResponse, refusal, refusalOf, respondWith } from '@gatehouse/platform/server';
import { orderOf } from '~/platform/generations/generations';
import { toSafeProfile } from '@gatehouse/platform';
import { DownloadButton } from '~/shell/download-button';
import { useApi } from '@gatehouse/frame/react';
import { useUser } from '@gatehouse/platform/react';
import type { RouteHandle } from '~/route-handle';
import { site } from '~/site.config';
`;
const open = "export const handle = { access: 'none' } satisfies RouteHandle;\n";
const guardedLoader =
  'export async function loader({ request, context }: LoaderFunctionArgs) {\n  const guard = await requirePlatformUser({ request, context });\n';

/** Correct pages, some containing names and texts that a text search would report. */
const honest: Record<string, string> = {
  designs: `${open}export default function Designs() { return <h1>Designs</h1>; }`,
  authors: `${open}const authors = [{ name: 'Ada', to: '/authors/ada' }];\nexport default function Authors() { return authors.map(({ name, to }) => <Link key={to} to={to}>{name}</Link>); }`,
  'a blog roll': `${open}export const loader = () => ({ posts: [{ url: 'https://a.example/1', title: 'One' }] });\nexport default function Posts() { const { posts } = useLoaderData<typeof loader>(); return posts.map((post) => <a key={post.url} href={post.url} rel="noreferrer">{post.title}</a>); }`,
  'words about sign-in': `${open}export default function Help() { return <p>Your authorization is the platform’s: this site has no password, no token and no localStorage. Do not fetch( it; document.cookie stays empty.</p>; }`,
  'a profile': `${guardedLoader}  return { profile: toSafeProfile(guard.user) };\n}\nexport default function Me() { return <p>{useLoaderData<typeof loader>().profile.displayName}</p>; }`,
  'a search': `${open}export const loader = ({ request }: LoaderFunctionArgs) => ({ q: new URL(request.url).searchParams.get('q') ?? '' });\nexport default function Search() { const { q } = useLoaderData<typeof loader>(); return <Form><input name="q" defaultValue={q} /></Form>; }`,
  'pages by number': `${open}export default function List() { const [params] = useSearchParams(); const page = Number(params.get('page') ?? 1); return <Link to={\`?page=\${page + 1}\`}>More</Link>; }`,
  'a list that filters': `${open}export default function List() { const [shown, setShown] = useState<string[]>([]); return <button onClick={() => { setShown([...shown, 'x']); }}>{shown.length}</button>; }`,
  'a form with an action': `export async function action({ request, context }: ActionFunctionArgs) {\n  const guard = await checkPlatformUser(context);\n  if (!guard.ok) return data({ code: refusalOf(guard).code }, { status: 403 });\n  const form = await request.formData();\n  await createPlatformSdk(guard).generations.submit(orderOf(String(form.get('prompt'))), { idempotencyKey: crypto.randomUUID() });\n  return redirect('/pictures', 303);\n}\nexport default function Page() { useActionData<typeof action>(); return <Form method="post" />; }`,
  'a resource': `export async function loader({ context, params }: LoaderFunctionArgs) {\n  const guard = await checkPlatformUser(context);\n  if (!guard.ok) return guardFailureResponse(guard);\n  return respondWith(async () => createPlatformSdk(guard).generations.get(params.id ?? ''));\n}\nexport const action = () => refusal(405, 'method_not_allowed');`,
  'a form for each method': `export async function action({ request, context }: ActionFunctionArgs) {\n  if (request.method !== 'POST' && request.method !== 'DELETE') return refusal(405, 'method_not_allowed');\n  const guard = await checkPlatformUser(context);\n  if (!guard.ok) return guardFailureResponse(guard);\n  return request.method === 'POST' ? data({ ok: true }) : data({ ok: false });\n}`,
  'opening hours': `export const handle = { access: 'none', cache: { maxAge: 60 } } satisfies RouteHandle;\nconst hours = new Map([['Monday', '9-17']]);\nexport const loader = () => Response.json(Object.fromEntries(hours), { headers: { 'cache-control': 'public, max-age=300' } });`,
  'a webhook': `export const handle = { access: 'machine' } satisfies RouteHandle;\nexport async function action({ request }: ActionFunctionArgs) {\n  const signature = request.headers.get('authorization');\n  const body = await request.text();\n  return Response.json({ accepted: body.length > 0 && signature !== null }, { status: 202 });\n}`,
  'a post by its id': `${open}export default function Post({ id }: { id: string }) { return <Link to={\`/posts/\${id}/edit\`}>Edit</Link>; }`,
  'an address made by a helper': `${open}const pathOf = (post: { id: number }) => \`/posts/\${post.id}\`;\nexport default function Post() { return <Link to={pathOf({ id: 1 })}>Post</Link>; }`,
  'a menu from the configuration': `${open}export default function Menu() { return site.menu.map(({ to, label }) => <NavLink key={to} to={to}>{label}</NavLink>); }`,
  'a link component': `${open}function Item({ to, label }: { to: string; label: string }) { return <Link to={to} prefetch="intent">{label}</Link>; }\nexport default function Menu() { return <Item to="/about" label="About" />; }`,
  'going back': `${open}export default function Back() { const navigate = useNavigate(); return <button onClick={() => { navigate(-1); }}>Back</button>; }`,
  'after a save': `${open}export default function Saved({ id }: { id: string }) { const navigate = useNavigate(); useEffect(() => { void navigate(\`/posts/\${encodeURIComponent(id)}\`); }, [id, navigate]); return null; }`,
  'a background like': `${open}export default function Like() { const fetcher = useFetcher(); return <fetcher.Form method="post" action="/api/likes"><button>Like</button></fetcher.Form>; }`,
  'a question to the site': `${open}export default function Ask() { const { send, isSending } = useApi(); const { view } = useUser(); return <button disabled={isSending || view.status !== 'signed-in'} onClick={() => void send('/api/pending')}>Ask</button>; }`,
  'a download': `${open}export default function Save() { return <DownloadButton url="/api/export.json" filename="export.json" />; }`,
  'a picture': `${guardedLoader}  return createPlatformSdk(guard).generations.list();\n}\nexport default function Pictures() { return useLoaderData<typeof loader>().items.map(({ id, prompt, output }) => output && <img key={id} src={output.url} alt={prompt} />); }`,
  'an old address': `export const loader = () => redirect('/posts', 301);`,
  'a measured box': `${open}export default function Box() { const box = useRef<HTMLDivElement>(null); useEffect(() => { if (box.current) box.current.dataset['width'] = String(box.current.offsetWidth); }, []); return <div ref={box} className="h-4" />; }`,
  'styles of furniture': `${open}const furniture = [{ style: 'art deco', fetch: 'by van' }];\nexport default function Shop() { return furniture.map(({ style, fetch }) => <p key={style}>{style}, fetched {fetch}</p>); }`,
  'a schema': `${open}const schema = z.object({ redirect: z.string(), password: z.string() }).partial();\nexport const action = async ({ request }: ActionFunctionArgs) => ({ ok: schema.safeParse(await request.json()).success });`,
  'an elsewhere in a new tab': `${open}export default function Docs() { return <a href="https://docs.example/api/" target="_blank" rel="noreferrer">The API’s documentation</a>; }`,
  'grouping in a function': `${open}export const loader = () => { const groups = new Map<string, number>(); for (const word of ['a', 'b', 'a']) groups.set(word, (groups.get(word) ?? 0) + 1); return [...groups]; };`,
  'a clock': `${open}export default function Clock() { const [now, setNow] = useState(() => new Date(0)); useEffect(() => { const timer = setInterval(() => { setNow(new Date()); }, 1_000); return () => { clearInterval(timer); }; }, []); return <time>{now.toISOString()}</time>; }`,
  'where the visitor is': `${open}export default function Here() { const [here, setHere] = useState(''); useEffect(() => { setHere(window.location.pathname); }, []); return <p>{here}</p>; }`,
  'a title': `export const meta: MetaFunction = () => [{ title: site.name }, { name: 'description', content: 'An api/ without login' }];\n${open}export default function Page() { return <p>Hello</p>; }`,
};

test('there are at least thirty correct pages', () => {
  expect(Object.keys(honest).length).toBeGreaterThanOrEqual(30);
});

test.each(Object.entries(honest))('nothing is reported in %s', async (_, code) => {
  expect(await messagesOf(remix + code)).toEqual([]);
});

test('nothing is reported in a server module beside the routes', async () => {
  const code = `import { createPlatformSdk } from '~/platform.server';\nexport const sdkOf = (...[guard]: Parameters<typeof createPlatformSdk>) => createPlatformSdk(guard);`;
  expect(await messagesOf(code, 'app/routes/helper.server.ts')).toEqual([]);
});

test('every rule is enabled: a page that violates all of them is reported by each', async () => {
  const page = `${remix}
import { createCookieSessionStorage } from '@remix-run/node';
import type { PassedGuard } from '@gatehouse/platform/server';
let last: unknown;
export const sessions = createCookieSessionStorage;
export const headers = { 'set-cookie': '__Host-site-session=x; Path=/' };
export const handle = { cache: { maxAge: 60 } };
export async function loader({ request, context }: LoaderFunctionArgs) {
  const form = await request.formData();
  const guard = await requirePlatformUser({ request, context });
  last = form;
  await fetch(String(process.env['ADDRESS']), { headers: { authorization: 'x' } });
  createPlatformSdk({} as PassedGuard);
  return { user: guard.user, last };
}
export default function Page() {
  const { user } = useLoaderData<typeof loader>();
  localStorage.setItem('user', JSON.stringify(user));
  void createPlatformSdk;
  return (
    <div style={{ color: 'red' }}>
      <Link to={String(user)}>x</Link>
      <a href="/api/x">x</a>
      <Link to="/__auth/login">x</Link>
      <input type="password" />
    </div>
  );
}`;
  const messages = await messagesOf(page);
  expect([...new Set(messages.map((line) => line.split(':')[0]))].sort()).toEqual(
    Object.keys(rules)
      .map((name) => `site/${name}`)
      .sort(),
  );
});
