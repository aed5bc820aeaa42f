/** Mistakes in the platform's frame: cookies, native downloads, sign-in from a script, markup that the content policy blocks. */
import { api, openPage, page, plainPage, type Mistake } from './mistake';

/** The file to download. Its route is correct. */
const file = '/api/generations/none/output.png';

const cookiePage = (cookie: string) =>
  page({
    top: cookie,
    loader: `
export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await requirePlatformUser({ request, context });
  const headers = { 'set-cookie': await theme.serialize('dark') };
  return data({ items: await picturesOf(guard) }, { headers });
}`,
  });

export const frame: readonly Mistake[] = [
  {
    row: 'a cookie that the frame drops, or that a script sets',
    reportedAs: ['frame/cookie'],
    variants: {
      'cookie-by-default': { page: cookiePage("const theme = createCookie('theme');") },
      'cookie-not-partitioned': {
        page: cookiePage(
          "const theme = createCookie('theme', { path: '/', secure: true, sameSite: 'none' });",
        ),
      },
      'cookie-in-api': {
        api: api(
          "return Response.json({}, { headers: { 'set-cookie': 'seen=1; Path=/; HttpOnly; SameSite=Lax' } });",
        ),
      },
      'cookie-by-script': {
        page: plainPage({ use: "useEffect(() => { document.cookie = 'seen=1; path=/'; }, []);" }),
      },
    },
  },
  {
    row: "the platform's session cookie, set or cleared by the site",
    reportedAs: ['frame/platform-cookie'],
    alsoReported: ['frame/cookie'],
    variants: {
      'session-cleared': {
        api: api(
          "return new Response(null, { status: 204, headers: { 'set-cookie': '__Host-platform_session=; Path=/; Secure; Max-Age=0' } });",
        ),
      },
      'session-renewed': {
        api: api(
          "const session = createCookie('__Host-platform_session', { path: '/', secure: true, sameSite: 'none', partitioned: true });\n  return Response.json({}, { headers: { 'set-cookie': await session.serialize('anew') } });",
        ),
      },
      'session-of-page': {
        page: cookiePage(
          "const theme = createCookie('__Host-platform_session', { path: '/', secure: true, sameSite: 'none', partitioned: true, httpOnly: true });",
        ),
      },
    },
  },
  {
    row: 'a native download: a link, a form, `window.open`, `location`, a `download` attribute',
    reportedAs: ['frame/native-download'],
    variants: {
      'download-attribute': {
        page: plainPage({ body: `{isIn && <a href="${file}" download>Save</a>}` }),
      },
      'link-to-file': { page: plainPage({ body: `{isIn && <a href="${file}">Save</a>}` }) },
      'window-open': {
        page: plainPage({
          body: `{isIn && <Button onClick={() => window.open('${file}')}>Save</Button>}`,
        }),
      },
      'location-assign': {
        page: plainPage({
          body: `{isIn && <Button onClick={() => { window.location.href = '${file}'; }}>Save</Button>}`,
        }),
      },
      'menu-download': {
        page: plainPage({
          body: `{isIn && <details><summary>Export</summary><a href="${file}" download>As a picture</a></details>}`,
        }),
      },
      'form-by-get': {
        page: plainPage({
          body: `{isIn && <form action="${file}"><Button type="submit">Save</Button></form>}`,
        }),
      },
      'anchor-clicked': {
        page: plainPage({
          use: `const save = () => {
    const anchor = document.createElement('a');
    anchor.href = '${file}';
    anchor.download = 'picture.png';
    anchor.click();
  };`,
          body: '{isIn && <Button onClick={save}>Save</Button>}',
        }),
      },
    },
  },
  {
    row: 'a client navigation, a prefetch or a fetch to `/__auth/`; a redirect to it in a loader',
    reportedAs: ['frame/auth-fetched'],
    variants: {
      'logout-fetched': {
        page: plainPage({
          body: "<Button onClick={() => void fetch('/__auth/logout').catch(() => undefined)}>Leave</Button>",
        }),
      },
      'login-asked-ahead': {
        page: plainPage({
          use: "useEffect(() => { void fetch('/__auth/login', { method: 'HEAD', redirect: 'manual' }).catch(() => undefined); }, []);",
        }),
      },
      'logout-by-request': {
        page: plainPage({
          use: `const leave = () => {
    const request = new XMLHttpRequest();
    request.open('GET', '/__auth/logout');
    request.send();
  };`,
          body: '<Button onClick={leave}>Leave</Button>',
        }),
      },
      'logout-by-beacon': {
        page: plainPage({
          body: "<Button onClick={() => navigator.sendBeacon('/__auth/logout')}>Leave</Button>",
        }),
      },
    },
  },
  {
    row: 'an inline style, raw markup',
    reportedAs: ['frame/noise'],
    variants: {
      'style-attribute': {
        page: plainPage({ body: "<p style={{ color: 'var(--ink)' }}>Ready.</p>" }),
      },
      'style-element': { page: plainPage({ body: '<style>{`.ready { padding: 1px }`}</style>' }) },
      'raw-markup': {
        page: plainPage({
          body: `<div dangerouslySetInnerHTML={{ __html: '<p style="padding: 1px">Ready.</p>' }} />`,
        }),
      },
      'script-element': { page: plainPage({ body: '<script>{`window.ready = true;`}</script>' }) },
    },
  },
  {
    row: 'a page with browser errors or warnings',
    reportedAs: ['frame/noise'],
    variants: {
      'logs-to-console': {
        page: plainPage({ use: "useEffect(() => { console.error('no pictures yet'); }, []);" }),
      },
      'time-in-markup': { page: plainPage({ body: '<p>{String(performance.now())}</p>' }) },
      'throws-later': {
        page: plainPage({
          use: "useEffect(() => { const timer = setTimeout(() => { JSON.parse('{'); }, 50); return () => clearTimeout(timer); }, []);",
        }),
      },
      'foreign-picture': {
        page: plainPage({
          body: '<img src="https://pictures.example/1.png" alt="A lighthouse" />',
        }),
      },
    },
  },
  {
    row: 'a return path that is lost on the way to sign-in',
    reportedAs: ['signed-out-page/return-path'],
    variants: {
      'return-path-forgotten': {
        page: page({
          loader: `
export async function loader({ context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok && guard.status === 401) return redirect('/__auth/login');
  if (!guard.ok) throw new Response(null, { status: refusalOf(guard).status });
  return { items: await picturesOf(guard) };
}`,
        }),
      },
      'return-path-without-query': {
        page: page({
          loader: `
export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok && guard.status === 401) throw redirect(loginAddress(new URL(request.url).pathname));
  if (!guard.ok) throw new Response(null, { status: refusalOf(guard).status });
  return { items: await picturesOf(guard) };
}`,
        }),
      },
      'return-path-home': {
        page: openPage({
          body: `<section><h2>Yours</h2><p>Pictures belong to your account on the platform.</p><a href="/__auth/login?return=%2F">Sign in here</a></section>`,
        }),
      },
    },
  },
];
