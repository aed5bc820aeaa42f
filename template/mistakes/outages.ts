/** Mistakes in handling platform outages. */
import { api, guardedLoader, page, postApi, type Mistake } from './mistake';

/** A correct loader that returns the error's code instead of throwing. */
const loaderWithErrorCode = `
export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok && guard.status === 401) await requirePlatformUser({ request, context });
  try {
    return { error: null, items: guard.ok ? (await createPlatformSdk(guard).generations.list()).items : null };
  } catch (error) {
    if (!(error instanceof PlatformSdkError)) throw error;
    return { error: error.code, items: null };
  }
}`;

const pageWithErrorCode = (body: string, use = '') => `${loaderWithErrorCode}
export default function Page() {
  const { items, error } = useLoaderData<typeof loader>();
  ${use}
  if (items) return <Shelf items={items} />;
  return ${body};
}`;

const shelf = `
export default function Page() {
  const { items } = useLoaderData<typeof loader>();
  return <Shelf items={items} />;
}`;

const toSignIn = (condition: string) => `
export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (${condition}) throw redirect(loginAddress(returnPathOf(new URL(request.url))));
  return { items: guard.ok ? await picturesOf(guard) : [] };
}${shelf}`;

export const outages: readonly Mistake[] = [
  {
    row: 'a redirect to sign-in while the platform fails',
    reportedAs: ['trouble/sent-to-sign-in'],
    variants: {
      'every-refusal-to-sign-in': { page: toSignIn('!guard.ok') },
      'no-user-to-sign-in': { page: toSignIn('!guard.ok || !guard.user') },
      'every-failure-to-sign-in': {
        page: `
export async function loader({ request, context }: LoaderFunctionArgs) {
  try {
    const guard = await requirePlatformUser({ request, context });
    return { items: (await createPlatformSdk(guard).generations.list()).items };
  } catch {
    throw redirect(loginAddress(returnPathOf(new URL(request.url))));
  }
}${shelf}`,
      },
    },
  },
  {
    row: 'a page that is blank while the platform fails',
    reportedAs: ['trouble/blank'],
    // A page without text has no heading either.
    alsoReported: ['everybody/accessibility'],
    variants: {
      'nothing-without-items': { page: pageWithErrorCode('null') },
      'error-boundary-of-nothing': {
        page: `${guardedLoader}${shelf}
export function ErrorBoundary() { return null; }`,
      },
      'list-of-nothing': {
        page: `${loaderWithErrorCode}
export default function Page() {
  const { items } = useLoaderData<typeof loader>();
  return <ul>{(items ?? []).map(({ id, prompt }) => <li key={id}>{prompt}</li>)}</ul>;
}`,
      },
    },
  },
  {
    row: 'a page that does not recover with the platform',
    reportedAs: ['trouble/no-way-back'],
    variants: {
      'only-a-sentence': { page: pageWithErrorCode('<p>Your pictures could not be read.</p>') },
      'own-error-page': {
        page: `${guardedLoader}${shelf}
export function ErrorBoundary() {
  useRouteError();
  return <section><h1>Something went wrong</h1><p>Come back later.</p></section>;
}`,
      },
      'kept-as-it-was': {
        page: `${loaderWithErrorCode}
export default function Page() {
  const loaded = useLoaderData<typeof loader>();
  const [{ items }] = useState(loaded);
  return items ? <Shelf items={items} /> : <p>Your pictures could not be read.</p>;
}`,
      },
    },
  },
  {
    row: "the platform's words on a page",
    reportedAs: ['trouble/secret-shown', 'leaks/upstream-text'],
    variants: {
      'guard-body-shown': {
        page: `
export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok && guard.status === 401) await requirePlatformUser({ request, context });
  if (!guard.ok) return { items: [], said: guard.body?.error ?? null };
  return { items: await picturesOf(guard), said: null };
}
export default function Page() {
  const { items, said } = useLoaderData<typeof loader>();
  return <Shelf items={items}>{said && <p>{said}</p>}</Shelf>;
}`,
      },
      'guard-body-thrown': {
        page: `
export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok && guard.status === 401) await requirePlatformUser({ request, context });
  if (!guard.ok) throw new Response(JSON.stringify(guard.body), { status: refusalOf(guard).status });
  return { items: await picturesOf(guard) };
}${shelf}`,
      },
      'guard-body-in-data': {
        page: `
export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok && guard.status === 401) await requirePlatformUser({ request, context });
  return { items: guard.ok ? await picturesOf(guard) : [], refused: guard.ok ? null : guard };
}${shelf}`,
      },
    },
  },
  {
    row: 'a failure of an operation that is thrown as another error',
    reportedAs: ['trouble/server-error'],
    variants: {
      'loader-that-throws': {
        page: page({
          loader: guardedLoader.replace(
            'await picturesOf(guard)',
            "await createPlatformSdk(guard).generations.list().then(({ items }) => items, () => { throw new Error('No list.'); })",
          ),
        }),
      },
      'api-that-throws': {
        api: api(`try {
    return Response.json(await createPlatformSdk(guard).generations.list());
  } catch (cause) {
    throw new Error('The list could not be read.', { cause });
  }`),
      },
      'action-that-throws': {
        api: postApi(`const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);
  const made = await createPlatformSdk(guard).generations.submit(...pictureOf('A lighthouse')).catch(() => null);
  return Response.json({ id: made[0].id });`),
        posts: true,
      },
    },
  },
  {
    row: 'a call without a timeout',
    reportedAs: ['trouble/no-response'],
    alsoReported: ['trouble/server-error'],
    variants: {
      'fetch-without-deadline': {
        api: api(
          'const found = await fetch(`${siteEnv().platformInternalUrl}/generations`).catch(() => null);\n  await found?.text().catch(() => "");\n  return Response.json({ isThere: found?.ok === true });',
        ),
      },
      'deadline-too-far': {
        api: api(
          "const { status } = await callUpstream({ path: '/generations', deadline: 90_000 }).catch(() => ({ status: 502 }));\n  return status === 200 ? Response.json({}) : refusal(502, 'upstream_unavailable');",
        ),
      },
      'no-timeouts': {
        api: api(
          'const found = await undiciRequest(`${siteEnv().platformInternalUrl}/generations`, { headersTimeout: 0, bodyTimeout: 0 }).catch(() => null);\n  await found?.body.dump().catch(() => undefined);\n  return Response.json({ isThere: found?.statusCode === 200 });',
        ),
      },
    },
  },
  {
    row: 'a cached failure',
    reportedAs: ['trouble/not-recovered'],
    // A call aborted together with another request fails with an error other than `PlatformSdkError`.
    alsoReported: ['trouble/server-error'],
    variants: {
      'failed-for-good': {
        api: api(
          `const { key } = toSafeProfile(guard.user);
  if (broken.has(key)) return refusal(503, 'upstream_unavailable');
  return respondWith(() => createPlatformSdk(guard).generations.list().catch((error) => { broken.add(key); throw error; }));`,
          'const broken = new Set();',
        ),
      },
      'promise-kept': {
        api: api(
          `const { key } = toSafeProfile(guard.user);
  if (!lists.has(key)) lists.set(key, createPlatformSdk(guard).generations.list());
  return respondWith(() => lists.get(key));`,
          'const lists = new Map();',
        ),
      },
      'closed-for-a-minute': {
        api: api(
          `const { key } = toSafeProfile(guard.user);
  if ((closed[key] ?? 0) > Date.now()) return refusal(503, 'upstream_unavailable');
  return respondWith(async () => {
    try {
      return await createPlatformSdk(guard).generations.list();
    } catch (error) {
      closed[key] = Date.now() + 60_000;
      throw error;
    }
  });`,
          'const closed = {};',
        ),
      },
    },
  },
];
