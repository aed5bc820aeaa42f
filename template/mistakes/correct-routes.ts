/** Correct routes in the same site, which must have no findings. */
import { api, openPage, page, postApi, type Variant } from './mistake';

const action = `
export async function action({ request, context }: ActionFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return data({ ok: false }, { status: refusalOf(guard).status });
  const form = await request.formData();
  try {
    await createPlatformSdk(guard).generations.submit(...pictureOf(String(form.get('prompt'))));
  } catch (error) {
    if (!(error instanceof PlatformSdkError)) throw error;
    return data({ ok: false }, { status: error.status });
  }
  return data({ ok: true });
}`;

export const correctRoutes: Readonly<Record<string, Variant>> = {
  // Pages with mistakes send requests to these two.
  list: { api: api('return answer(async () => ({ items: await picturesOf(guard) }));') },
  target: {
    api: postApi(`const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);
  return answer(() => createPlatformSdk(guard).generations.submit(...pictureOf('A lighthouse')));`),
    posts: true,
  },
  'for-members': { page: page({}) },
  'for-all': { page: openPage({}) },
  'with-form': {
    page: openPage({
      action,
      use: 'const { view } = useUser();',
      body: `<Form method="post"><fieldset disabled={view.status !== 'signed-in'}>
  <label>Words <input name="prompt" required /></label><Button type="submit">Make it</Button>
</fieldset></Form>`,
    }),
  },
  'asks-when-known': {
    page: openPage({
      use: `const { view } = useUser();
  const { ask } = useApi();
  useEffect(() => {
    if (view.status === 'signed-in') void ask('/api/mistakes/list');
  }, [ask, view.status]);`,
    }),
  },
  'goes-on-by-itself': {
    page: page({
      use: `useEffect(() => {
    const timer = setTimeout(() => { window.location.replace('/mistakes/for-all'); }, 400);
    return () => clearTimeout(timer);
  }, []);`,
    }),
  },
};
