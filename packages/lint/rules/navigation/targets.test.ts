/** No redirect or navigation to a target that came from outside. */
import { phrasings } from '../../test/rule-tester.ts';
import rule from './targets.js';

const server =
  "import { data, redirect, redirectDocument, type LoaderFunctionArgs } from '@remix-run/node';\n";
const browser =
  "import { Form, Link, Navigate, NavLink, useNavigate, useSubmit } from '@remix-run/react';\n";
const loader = (body: string) =>
  `${server}export async function loader({ request, params }: LoaderFunctionArgs) {\n  const url = new URL(request.url);\n  ${body}\n}`;
const page = (body: string, around = '') =>
  `${browser}${around}\ndeclare const post: { id: string; url: string; next?: string };\nexport default function Page() {\n  const navigate = useNavigate();\n  const submit = useSubmit();\n  void navigate; void submit;\n  ${body}\n}`;

phrasings(
  'site/targets reports targets from outside [W05]',
  rule,
  {
    given: [
      // From a query, with a default, through aliases and helpers.
      loader("return redirect(url.searchParams.get('next') ?? '/');"),
      loader(
        "const next = url.searchParams.get('next');\n  if (next) throw redirect(next);\n  return null;",
      ),
      loader("const go = redirect;\n  return go(String(url.searchParams.get('to')));"),
      loader(
        "let target = '/';\n  if (url.search) target = url.search.slice(4);\n  return redirect(target);",
      ),
      loader('return redirect(`/${params.slug}`);'),
      loader("return redirect('/' + params.slug);"),
      loader('return redirectDocument(request.url);'),
      loader('return redirect(url.pathname);'),
      `import { readFields, textOf } from '@gatehouse/frame/server';\n${loader("return redirect(textOf(await readFields(request), 'to'));")}`,
      loader("return redirect((await request.formData()).get('to') as string);"),
      loader(
        "return new Response(null, { status: 302, headers: { Location: url.searchParams.get('to') ?? '' } });",
      ),
      loader(
        "const headers = new Headers();\n  headers.set('location', request.headers.get('referer') ?? '/');\n  return new Response(null, { status: 302, headers });",
      ),
      `${server}const targetOf = (url: URL) => url.searchParams.get('to') ?? '/';\nexport const loader = ({ request }: LoaderFunctionArgs) => redirect(targetOf(new URL(request.url)));`,
      loader("return Response.redirect(url.searchParams.get('next') ?? '/', 302);"),
      loader('return data(null, { status: 302, headers: { Location: String(params.next) } });'),
      loader(
        "return new Response(null, { status: 302, headers: [['Location', String(params.next)]] });",
      ),
      loader(
        "const headers = new Headers([['location', String(params.next)]]);\n  return new Response(null, { status: 302, headers });",
      ),
      loader(
        "const targets: Record<string, string> = { a: '/a', b: String(params.next) };\n  return redirect(targets[String(params.id)] ?? '/');",
      ),
      // From data, in a page.
      page('return <Link to={post.url}>next</Link>;'),
      page("return <NavLink to={post.next ?? '/'}>next</NavLink>;"),
      page('return <Link to={{ pathname: post.url }}>next</Link>;'),
      page('return <Navigate to={post.url} replace />;'),
      page('navigate(post.url);\n  return null;'),
      page('const go = navigate;\n  void go(post.url, { replace: true });\n  return null;'),
      page('window.location.href = post.url;\n  return null;'),
      page('location.assign(post.url);\n  return null;'),
      page('document.location.replace(post.url);\n  return null;'),
      page('const { location } = window;\n  location.assign(post.url);\n  return null;'),
      page('window.location = post.url as never;\n  return null;'),
      page('return <Form method="post" action={post.url} />;'),
      page("submit(null, { method: 'post', action: post.url });\n  return null;"),
      // An `origin` is trusted only if it is read from this site's own address.
      page('navigate(`${new URL(post.url).origin}/x`);\n  return null;'),
      page("const next = new URL(post.url);\n  navigate(next.origin + '/x');\n  return null;"),
      loader(
        "const next = new URL(url.searchParams.get('next') ?? '', url);\n  return redirect(`${next.origin}/x`);",
      ),
      page('return <Link {...{ to: post.url }}>next</Link>;'),
      page('const more = { to: post.url };\n  return <Link {...more}>next</Link>;'),
      loader(
        'return new Response(null, { status: 302, headers: headersTo(String(params.next)) });',
      ).replace('export', 'const headersTo = (to: string) => ({ Location: to });\nexport'),
      loader(
        "const headers: Record<string, string> = {};\n  headers['location'] = String(params.next);\n  return new Response(null, { headers });",
      ),
      loader(
        "const name = 'location';\n  return new Response(null, { status: 302, headers: { [name]: String(params.next) } });",
      ),
      page(
        'return <Link {...linkTo(post.url)}>next</Link>;',
        'const linkTo = (to: string) => ({ to });',
      ),
      page('Object.assign(window.location, { href: post.url });\n  return null;'),
      loader("return redirect(new URL(url.pathname, 'https://pay.example').href);"),
    ],
    another: [
      loader("return redirect('https://pay.example/');"),
      loader("return redirect('//pay.example/');"),
      page("navigate('https://pay.example/');\n  return null;"),
      page(
        'navigate(`${shop.origin}/x`);\n  return null;',
        "const shop = { origin: 'https://pay.example' };",
      ),
    ],
    origins: [
      `import { externalRedirect } from '@gatehouse/server/external-redirect';\nexport const loader = ({ request }: { request: Request }) => externalRedirect('https://a.example', [new URL(request.url).origin + 'x' + request.method]);`,
      `import { externalRedirect } from '@gatehouse/server/external-redirect';\nexport const loader = ({ request }: { request: Request }) => externalRedirect('https://a.example', request.url.split(','));`,
      `import { externalRedirect } from '@gatehouse/server/external-redirect';\nexport const loader = ({ request }: { request: Request }) => externalRedirect('https://a.example', ['https://a.example', String(request.headers.get('origin'))]);`,
      `import { externalRedirect } from '@gatehouse/server/external-redirect';\nconst origins = ['https://a.example'];\nexport const loader = ({ request }: { request: Request }) => {\n  const origins = request.url.split(',');\n  return externalRedirect('https://a.example', origins);\n};\nexport { origins };`,
      "import { externalRedirect as leave } from '@gatehouse/server/external-redirect';\nexport const loader = ({ request }: { request: Request }) => leave('https://a.example', request.url.split(','));",
      "import * as away from '@gatehouse/server/external-redirect';\nexport const loader = ({ request }: { request: Request }) => away.externalRedirect('https://a.example', request.url.split(','));",
    ],
  },
  [
    loader("return redirect('/posts');"),
    loader('return redirect(`/posts/${params.id}`, 303);'),
    loader("return redirect('/posts/' + params.id);"),
    loader("return redirect(`/${encodeURIComponent(params.id ?? '')}`);"),
    loader("return redirect(url.search ? '/a' : '/b');"),
    loader("let target = '/a';\n  if (url.search) target = '/b';\n  return redirect(target);"),
    `${server}import { returnPathOf } from '@gatehouse/frame';\nexport const loader = ({ request }: LoaderFunctionArgs) => redirect(returnPathOf(new URL(request.url)));`,
    `${server}const pathOf = (id: string) => \`/posts/\${id}\`;\nexport const loader = ({ params }: LoaderFunctionArgs) => redirect(pathOf(params.id ?? ''));`,
    `import { externalRedirect } from '@gatehouse/server/external-redirect';\nconst origins = ['https://pay.example'];\nexport const loader = ({ request }: { request: Request }) => externalRedirect(request.url, origins);`,
    `import { externalRedirect } from '@gatehouse/server/external-redirect';\nexport const loader = ({ request }: { request: Request }) => externalRedirect(request.url, ['https://pay.example']);`,
    `import { externalRedirect } from '@gatehouse/server/external-redirect';\nexport const loader = ({ request }: { request: Request }) => {\n  const origins = ['https://pay.example'];\n  return externalRedirect(request.url, origins);\n};`,
    loader('return redirect(`${url.origin}/posts`);'),
    loader('return redirect(`${new URL(request.url).origin}/posts`);'),
    page('navigate(`${location.origin}/posts`);\n  return null;'),
    page('navigate(`${window.location.origin}/posts`);\n  return null;'),
    page('const here = window.location;\n  navigate(`${here.origin}/posts`);\n  return null;'),
    page('return <a href={post.url}>elsewhere</a>;'),
    page('return <Link to={`/posts/${post.id}`}>post</Link>;'),
    page('return <Link to={`?page=${post.id}`}>more</Link>;'),
    page('return <Link to="..">up</Link>;'),
    page('return <Link to={{ search: post.id }}>here</Link>;'),
    page('navigate(-1);\n  return null;'),
    page(
      'return menu.map(({ to }) => <Link key={to} to={to}>x</Link>);',
      "const menu = [{ to: '/a' }, { to: '/b' }];",
    ),
    page(
      'return menu.map((one) => <Link key={one.to} to={one.to}>x</Link>);',
      "const menu = [{ to: '/a' }, { to: '/b' }];",
    ),
    page(
      'return <Item to="/a" />;',
      'function Item({ to }: { to: string }) { return <Link to={to}>x</Link>; }',
    ),
    page(
      'return <Item to="/a" />;',
      'function Item(props: { to: string }) { return <Link to={props.to}>x</Link>; }',
    ),
    page('const event = { location: post.url };\n  return <p>{event.location}</p>;'),
    page('return <Form method="post" action="?index" />;'),
    page(
      'return <Link to={tabs[post.id] ?? "/"}>x</Link>;',
      "const tabs: Record<string, string> = { open: '/open', closed: '/closed' };",
    ),
    loader("return data(null, { status: 302, headers: { Location: '/posts' } });"),
    loader('return Response.redirect(`${url.origin}/posts`, 303);'),
  ],
);
