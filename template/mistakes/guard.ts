/** Mistakes with the guard: missing, too late, ignored, or another request's. */
import { guardedLoader, page, postApi, readApi, type Mistake } from './mistake';

/** Fetches the list without the SDK, and responds with its length. */
const rawList = `const { status, body } = await callUpstream({ path: '/generations' }).catch(() => ({ status: 502, body: '' }));
  if (status !== 200) return refusal(status === 401 ? 401 : 502, 'refused');
  return respondWith(async () => ({ bytes: body.length }));`;

const rawPost = `const { status } = await callUpstream({ method: 'POST', path: '/generations', json: { prompt: 'A lighthouse' } }).catch(() => ({ status: 502 }));
  return status === 201 ? Response.json({ ok: true }) : refusal(status === 401 ? 401 : 502, 'refused');`;

const child = `
export async function loader() {
  const { status, body } = await callUpstream({ path: '/generations' }).catch(() => ({ status: 502, body: '' }));
  return { bytes: status === 200 ? body.length : null };
}
export default function Page() {
  const { bytes } = useLoaderData<typeof loader>();
  return <p>{bytes === null ? 'Nothing yet.' : 'Something is there.'}</p>;
}`;

const layout = `${guardedLoader}
export default function Page() {
  const { items } = useLoaderData<typeof loader>();
  return <Shelf items={items}><Outlet /></Shelf>;
}`;

/** What else a call without a guard may be reported as, since signed-out requests make it too. */
const nobodyCalls = [
  'guard-first/body-first',
  'signed-out/sdk-call',
  'signed-out/not-refused',
] as const;

export const guard: readonly Mistake[] = [
  {
    row: 'a loader or action that never calls the guard its `handle` requires',
    reportedAs: ['guard-first/unguarded-call'],
    alsoReported: nobodyCalls,
    variants: {
      'loader-asks-nobody': { api: readApi(rawList) },
      'action-asks-nobody': { api: postApi(rawPost), posts: true },
      'kept-sdk': {
        api: readApi(
          `if (!sdk) {
    const guard = await checkPlatformUser(context);
    if (!guard.ok) return guardFailureResponse(guard);
    sdk = createPlatformSdk(guard);
  }
  return respondWith(() => sdk.generations.list());`,
          'let sdk;',
        ),
      },
    },
  },
  {
    // Nothing that it uses belongs to the platform, so that no call betrays it.
    row: 'a loader or action that never calls the guard its `handle` requires',
    reportedAs: ['signed-out/not-refused'],
    alsoReported: ['signed-out-page/usable-control'],
    variants: {
      'hours-for-strangers': { api: readApi('return Response.json({ opening: [9, 17] });') },
      'vote-of-strangers': {
        api: postApi(`const words = await request.text();
  return Response.json({ length: words.length });`),
        posts: true,
      },
      'message-of-strangers': {
        page: page({
          action: `
export async function action({ request }: ActionFunctionArgs) {
  const form = await request.formData();
  return { isLong: String(form.get('words')).length > 20 };
}`,
          body: `<Form method="post"><label>Words <input name="words" /></label><Button type="submit">Send</Button></Form>`,
        }),
      },
    },
  },
  {
    row: 'a body, a header, an `await` or a call before the guard; a guard whose result is ignored',
    reportedAs: ['signed-out/not-refused'],
    variants: {
      'unheeded-for-strangers': {
        api: readApi(
          'await checkPlatformUser(context);\n  return Response.json({ opening: [9, 17] });',
        ),
      },
      'unheeded-parts': {
        api: readApi(
          'const { ok } = await checkPlatformUser(context);\n  return Response.json({ opening: [9, 17], isOpen: ok });',
        ),
      },
      'unheeded-vote': {
        api: postApi(`return checkPlatformUser(context).then(async () => {
    const words = await request.text();
    return Response.json({ length: words.length });
  });`),
        posts: true,
      },
    },
  },
  {
    row: 'a body, a header, an `await` or a call before the guard; a guard whose result is ignored',
    reportedAs: ['guard-first/body-first'],
    variants: {
      'form-first': {
        page: page({
          action: `
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await request.formData();
  const guard = await requirePlatformUser({ request, context });
  try {
    await createPlatformSdk(guard).generations.submit(...pictureOf(String(form.get('prompt'))));
  } catch (error) {
    if (!(error instanceof PlatformSdkError)) throw error;
    throw new Response(null, { status: error.status });
  }
  return redirect('/mistakes/form-first', 303);
}`,
          use: 'const { view } = useUser();',
          body: `<Form method="post"><fieldset disabled={view.status !== 'signed-in'}>
  <label>Words <input name="prompt" /></label><Button type="submit">Make it</Button>
</fieldset></Form>`,
        }),
      },
      'json-first': {
        api: postApi(`const { prompt } = await request.json().catch(() => ({}));
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);
  return respondWith(() => createPlatformSdk(guard).generations.submit(...pictureOf(String(prompt))));`),
        posts: true,
      },
      'copy-first': {
        api: postApi(`const words = await request.clone().text();
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);
  return respondWith(() => createPlatformSdk(guard).generations.submit(...pictureOf(words.slice(0, 20))));`),
        posts: true,
      },
    },
  },
  {
    row: 'a body, a header, an `await` or a call before the guard; a guard whose result is ignored',
    reportedAs: ['guard-first/unguarded-call'],
    alsoReported: nobodyCalls,
    variants: {
      'call-beside': {
        api: readApi(`const [guard, { status }] = await Promise.all([checkPlatformUser(context), callUpstream({ path: '/generations' }).catch(() => ({ status: 502 }))]);
  if (!guard.ok) return guardFailureResponse(guard);
  return Response.json({ isThere: status === 200 });`),
      },
      'call-before': {
        api: readApi(`const { status } = await callUpstream({ path: '/generations' }).catch(() => ({ status: 502 }));
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);
  return Response.json({ isThere: status === 200 });`),
      },
      'call-in-condition': {
        api: postApi(`if ((await callUpstream({ path: '/generations' }).catch(() => ({ status: 502 }))).status === 200) {
    const guard = await checkPlatformUser(context);
    if (!guard.ok) return guardFailureResponse(guard);
  }
  return Response.json({ ok: true });`),
        posts: true,
      },
    },
  },
  {
    row: 'a body, a header, an `await` or a call before the guard; a guard whose result is ignored',
    reportedAs: ['signed-out/sdk-call'],
    alsoReported: ['guard-first/unguarded-call', 'signed-out/not-refused'],
    variants: {
      'unheeded-guard': { api: readApi(`await checkPlatformUser(context);\n  ${rawList}`) },
      'swallowed-guard': {
        api: readApi(
          `try {\n    await requirePlatformUser({ request, context });\n  } catch {\n    // Signed out is fine here.\n  }\n  ${rawList}`,
        ),
      },
      'half-heeded-guard': {
        api: readApi(
          `const guard = await checkPlatformUser(context);\n  if (!guard.ok && guard.status === 403) return guardFailureResponse(guard);\n  ${rawList}`,
        ),
      },
    },
  },
  {
    row: 'a layout that guards for its children',
    reportedAs: ['guard-first/unguarded-call'],
    alsoReported: nobodyCalls,
    variants: {
      'guarded-by-layout': { layout, page: child },
      'guarded-by-layout-for-action': {
        layout,
        page: `
export async function action() {
  ${rawPost}
}
export default function Page() {
  const { view } = useUser();
  return <Form method="post"><Button type="submit" disabled={view.status !== 'signed-in'}>Another one</Button></Form>;
}`,
      },
      'guarded-by-root': {
        page: page({
          loader: `
export async function loader() {
  const { status } = await callUpstream({ path: '/generations' }).catch(() => ({ status: 502 }));
  return { items: [], isThere: status === 200 };
}`,
          use: "const root = useRouteLoaderData('root');",
          body: "<p>{root?.platform.user.status === 'signed-in' ? 'Yours.' : 'Not yours.'}</p>",
        }),
      },
    },
  },
];
