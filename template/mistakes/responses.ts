/** Mistakes in responses: the internal address, the platform's text, caching, statuses, access. */
import { api, openLoader, page, plainPage, postApi, readApi, type Mistake } from './mistake';

const isPublic = "export const handle = { access: 'none', cache: { maxAge: 60 } };";

export const responses: readonly Mistake[] = [
  {
    row: 'the internal address outside its one caller',
    reportedAs: ['leaks/internal-address'],
    variants: {
      'address-in-data': {
        api: api('return Response.json({ media: `${siteEnv().platformInternalUrl}/media/1` });'),
      },
      'address-in-header': {
        api: api(
          'return new Response(null, { status: 204, headers: { link: `<${siteEnv().platformInternalUrl}>; rel=preconnect` } });',
        ),
      },
      'address-in-error': {
        api: api(`const address = new URL('/generations', siteEnv().platformInternalUrl);
  try {
    return Response.json({ items: await picturesOf(guard) });
  } catch {
    return Response.json({ error: \`\${address.host} is silent\` }, { status: 502 });
  }`),
      },
      'address-in-page': {
        page: page({
          loader: `
export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await requirePlatformUser({ request, context });
  return { items: await picturesOf(guard), settings: siteEnv() };
}`,
        }),
      },
    },
  },
  {
    row: 'the internal address outside its one caller',
    reportedAs: ['leaks/log-line'],
    variants: {
      'address-logged': {
        api: api(
          "console.info('address-logged', siteEnv().platformInternalUrl);\n  return Response.json({});",
        ),
      },
      'settings-logged': {
        api: api("console.info('settings-logged %j', siteEnv());\n  return Response.json({});"),
      },
      'address-in-warning': {
        api: api(
          'console.warn(`address-in-warning: asking ${new URL(siteEnv().platformInternalUrl).host}`);\n  return Response.json({});',
        ),
      },
    },
  },
  {
    row: "an error's stack in a response",
    reportedAs: ['leaks/stack-trace'],
    variants: {
      'stack-in-data': {
        api: api(
          "const { stack } = new Error('stack-in-data');\n  return Response.json({ error: 'failed', stack }, { status: 422 });",
        ),
      },
      'stack-as-text': {
        api: api(
          "try {\n    throw new TypeError('stack-as-text');\n  } catch (error) {\n    return new Response(error.stack, { status: 400, headers: { 'content-type': 'text/plain' } });\n  }",
        ),
      },
      'stack-in-page': {
        page: page({
          loader: `
export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await requirePlatformUser({ request, context });
  const details = new Error('stack-in-page').stack;
  return { items: await picturesOf(guard), details };
}`,
        }),
      },
    },
  },
  {
    row: 'the internal address in a browser script',
    reportedAs: ['leaks/internal-address'],
    // A hydration mismatch: the server renders other text than the browser.
    alsoReported: ['frame/noise'],
    variants: {
      'address-as-constant': {
        page: plainPage({
          body: "<p>{typeof process === 'undefined' ? 'In a browser.' : process.env.PLATFORM_INTERNAL_URL && 'On the server.'}</p>",
        }),
      },
      'address-by-global': {
        page: plainPage({
          use: "const base = typeof window === 'undefined' ? '' : (window.ENV?.PLATFORM_INTERNAL_URL ?? '');",
          body: '<p>{base}</p>',
        }),
      },
      'address-by-name': {
        page: plainPage({
          top: "const setting = 'PLATFORM_INTERNAL_URL';",
          use: 'const base = globalThis.process?.env?.[setting];',
          body: "<p>{base ? 'Known.' : ''}</p>",
        }),
      },
    },
  },
  {
    row: 'a response that caches may store',
    reportedAs: ['kept/cacheable'],
    variants: {
      'private-for-a-minute': {
        api: api(
          "return Response.json({ ok: true }, { headers: { 'cache-control': 'private, max-age=60' } });",
        ),
      },
      'kept-by-list': {
        api: api(
          "return new Response('{}', { headers: [['Cache-Control', 'private, max-age=300'], ['Content-Type', 'application/json']] });",
        ),
      },
      'must-revalidate': {
        api: api(
          "const headers = new Headers({ 'Cache-Control': 'private, no-cache, must-revalidate' });\n  return new Response('{}', { headers });",
        ),
      },
    },
  },
  {
    row: 'a public response that differs between visitors or requests',
    reportedAs: ['kept/public-differs'],
    variants: {
      'public-time': {
        api: readApi(`return Response.json({ at: process.hrtime.bigint().toString() });`, isPublic),
      },
      'public-lot': {
        api: readApi(`return Response.json({ id: crypto.randomUUID() });`, isPublic),
      },
      'public-count': {
        api: readApi(
          `visits += 1;\n  return Response.json({ visits });`,
          `${isPublic}\nlet visits = 0;`,
        ),
      },
    },
  },
  {
    row: "a guard, a cookie, the visitor's headers or deferred data in what caches keep, or in a layout over it",
    reportedAs: ['kept/not-public'],
    // A page that always fails.
    alsoReported: [
      'everybody/accessibility',
      'frame/noise',
      'signed-out/access-contradicted',
      'signed-out/always-fails',
      'signed-out/not-exercised',
      'signed-out/server-error',
      'trouble/not-recovered',
      'trouble/server-error',
    ],
    variants: {
      'public-page-guards': { page: `${isPublic}\n${page({ loader: openLoader })}` },
      'public-page-in-guarded-layout': {
        layout: `${openLoader}\nexport default Outlet;`,
        page: plainPage({ body: '<p>Words.</p>' }).replace(/export const handle.*/, isPublic),
      },
      'public-page-with-cookie': {
        page: `${isPublic}
export const loader = () =>
  data({ seen: true }, { headers: { 'set-cookie': '__Host-seen=1; Path=/; Secure; HttpOnly; SameSite=None; Partitioned' } });
export default function Page() {
  return <h1>Words for everybody</h1>;
}`,
      },
      'public-page-with-late-words': {
        page: `${isPublic}
export const loader = () => ({ late: new Promise((resolve) => setTimeout(resolve, 50, 'late')) });
export default function Page() {
  return <h1>Words for everybody</h1>;
}`,
      },
    },
  },
  {
    row: "the platform's words in an error",
    reportedAs: ['leaks/upstream-text'],
    // The relayed headers of the platform may violate these rules too.
    alsoReported: ['frame/cookie', 'kept/cacheable', 'leaks/internal-address'],
    variants: {
      'body-relayed': {
        api: api(`const { status, body } = await callUpstream({ path: '/generations' }).catch(() => ({ status: 502, body: '{}' }));
  return new Response(status === 200 ? '{}' : body, { status: status < 400 ? 200 : 502 });`),
      },
      'response-relayed': {
        api: api(
          'return fetch(`${siteEnv().platformInternalUrl}/generations`, { redirect: "manual", signal: AbortSignal.timeout(5_000) }).then(({ status, headers }) => new Response(null, { status: status < 400 ? 204 : 502, headers: [...headers].filter(([name]) => !/^(content|transfer|connection|keep)/.test(name)) }), () => refusal(502, "upstream_unavailable"));',
        ),
      },
      'words-in-message': {
        api: api(`const { status, body } = await callUpstream({ path: '/generations' }).catch(() => ({ status: 502, body: '' }));
  if (status === 200) return Response.json({ ok: true });
  return Response.json({ error: \`The platform said: \${body}\` }, { status: 502 });`),
      },
    },
  },
  {
    row: 'a `machine` or public route that uses the SDK',
    reportedAs: ['signed-out/access-contradicted'],
    alsoReported: ['signed-out/not-exercised'],
    variants: {
      'machine-that-guards': {
        api: `export const handle = { access: 'machine' };\n${postApi(`const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);
  return respondWith(() => createPlatformSdk(guard).generations.submit(...pictureOf('From a machine')));`)}`,
        posts: true,
      },
      'public-that-guards': {
        api: `export const handle = { access: 'none' };\n${api('return Response.json({ items: await picturesOf(guard) });')}`,
      },
      'open-page-that-guards': {
        page: `export const handle = { access: 'none' };\n${page({ loader: openLoader })}`,
      },
    },
  },
  {
    row: 'a resource that answers a signed-out request with success',
    reportedAs: ['signed-out/not-refused'],
    variants: {
      'empty-list-for-strangers': {
        api: readApi(`const guard = await checkPlatformUser(context);
  return Response.json({ items: guard.ok ? await picturesOf(guard) : [] });`),
      },
      'says-unauthorized': {
        api: readApi(`const guard = await checkPlatformUser(context);
  if (!guard.ok) return Response.json({ error: 'unauthorized', items: [] });
  return Response.json({ items: await picturesOf(guard) });`),
      },
      'null-for-strangers': {
        api: readApi(`const guard = await checkPlatformUser(context);
  if (!guard.ok) return Response.json(null);
  return Response.json(await picturesOf(guard));`),
      },
      'home-for-strangers': {
        api: readApi(`const guard = await checkPlatformUser(context);
  if (!guard.ok) return redirect('/');
  return Response.json(await picturesOf(guard));`),
      },
    },
  },
  {
    row: 'a signed-out request that causes a server error',
    reportedAs: ['signed-out/server-error'],
    alsoReported: ['signed-out/not-refused', 'trouble/server-error', 'trouble/not-recovered'],
    variants: {
      'name-of-nobody': {
        api: readApi(`const guard = await checkPlatformUser(context);
  return Response.json({ name: guard.user.name });`),
      },
      'throws-for-strangers': {
        api: readApi(`const guard = await checkPlatformUser(context);
  if (!guard.ok) throw new Error('Not signed in');
  return Response.json({ ok: true });`),
      },
      'form-of-anything': {
        api: postApi(`const guard = await checkPlatformUser(context);
  const { user } = guard;
  if (user.id === null) return guardFailureResponse(guard);
  return Response.json({ ok: true });`),
        posts: true,
      },
    },
  },
  {
    row: 'an operation that neither a page nor a request in `e2e/site.ts` reaches',
    reportedAs: ['signed-out/not-exercised', 'signed-out/no-address'],
    alsoReported: ['signed-out/not-exercised'],
    variants: {
      'only-with-a-word': {
        api: api(`if (new URL(request.url).searchParams.get('word') !== 'sesame') return refusal(404, 'not_found');
  return Response.json(await picturesOf(guard));`),
      },
      'only-by-script': {
        api: postApi(`const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);
  return respondWith(() => createPlatformSdk(guard).generations.submit(...pictureOf('By a script')));`),
      },
      'only-by-code': {
        api: api('return Response.json({ code: params.code, items: await picturesOf(guard) });'),
        rest: '/:code',
      },
    },
  },
];
