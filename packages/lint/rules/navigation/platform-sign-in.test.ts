/** Only the helpers navigate to the platform's sign-in, which is never a route of the site. */
import { phrasings } from '../../test/rule-tester.ts';
import rule from './platform-sign-in.js';

const imports =
  "import { Form, Link, useFetcher, useNavigate } from '@remix-run/react';\nimport { redirect, redirectDocument } from '@remix-run/node';\nimport { loginAddress, loginRoute } from '@gatehouse/platform';\nimport { loginAddress as installed } from '../../installed/@gatehouse/platform';\nimport { route } from '@remix-run/route-config';\n";
const page = (body: string) => `${imports}export default function Page() {\n  ${body}\n}`;

phrasings(
  'site/platform-sign-in reports other ways to the platform’s sign-in [W05] [W06] [W30]',
  rule,
  {
    written: [
      page('return <a href="/__auth/login">Sign in</a>;'),
      page(
        'return <a href={`/__auth/login?return=${encodeURIComponent(location.pathname)}`}>Sign in</a>;',
      ),
      page("window.location.href = '/__auth/' + 'login';\n  return null;"),
      page("window.location.assign('/__' + 'auth/logout');\n  return null;"),
      page("const [login] = ['/__auth/login'];\n  return <p>{login}</p>;"),
      page("void fetch('/__auth/login');\n  return null;"),
      `${imports}export const loader = () => redirectDocument('/__auth/login');`,
    ],
    routed: [
      page('return <Link to="/__auth/login">Sign in</Link>;'),
      page('return <Link prefetch="intent" to={loginRoute}>Sign in</Link>;'),
      page("return <Link to={loginAddress('/pictures')}>Sign in</Link>;"),
      page("return <Form action={loginAddress('/')} />;"),
      page("return <Link to={installed('/')}>Sign in</Link>;"),
      page("const navigate = useNavigate();\n  navigate(loginAddress('/'));\n  return null;"),
      page('const fetcher = useFetcher();\n  fetcher.load(loginRoute);\n  return null;'),
      page('const fetcher = useFetcher();\n  return <fetcher.Form action={loginRoute} />;'),
      `${imports}export const loader = () => redirect('/__auth/login');`,
      `${imports}export const loader = () => redirect(loginAddress('/posts'));`,
    ],
    route: [
      `${imports}export default [route('login', 'routes/login.tsx')];`,
      `${imports}export default [route('account/sign-out', 'routes/sign-out.tsx')];`,
      `${imports}export default [route('auth/:step', 'routes/auth.tsx')];`,
      `${imports}export default [at('sign-in', 'a.tsx')];\nimport { route as at } from '@remix-run/route-config';`,
      `${imports}const path = 'logout';\nexport default [route(path, 'a.tsx')];`,
    ],
  },
  [
    `${imports}export default [route('designs', 'routes/designs.tsx'), route('authors/:id', 'routes/author.tsx')];`,
    page('return <Link to="/authors">Authors</Link>;'),
    page('return <p>Sign in at the platform: its authorization is not ours.</p>;'),
    page('return <form action={loginRoute}><button>Sign in</button></form>;'),
    page("const title = 'auth is the platform’s';\n  return <p>{title}</p>;"),
    page("window.location.assign(loginAddress('/'));\n  return null;"),
  ],
);
