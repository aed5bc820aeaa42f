/** Correct routes in the same site, which must have no findings. */
import { api, fileBytes, openPage, page, plainPage, postApi, type Variant } from './mistake';

/** A resource route that returns a file. */
const fileOf = (bytes: string, type: string, name: string) =>
  api(
    `return new Response(${bytes}, { headers: { 'content-type': '${type}', 'content-disposition': 'attachment; filename="${name}"' } });`,
  );

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
  list: { api: api('return respondWith(async () => ({ items: await picturesOf(guard) }));') },
  target: {
    api: postApi(`const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);
  return respondWith(() => createPlatformSdk(guard).generations.submit(...pictureOf('A lighthouse')));`),
    posts: true,
  },
  // Files whose bytes, type and name agree, or of which one says nothing.
  cover: { api: fileOf(fileBytes.jpeg, 'image/jpeg', 'cover.jpg') },
  'people-table': {
    api: fileOf("'name,age\\nAda,36\\n'", 'text/csv; charset=utf-8', 'people.csv'),
  },
  'logo-drawing': {
    api: fileOf('\'<svg xmlns="http://www.w3.org/2000/svg"/>\'', 'image/svg+xml', 'logo.svg'),
  },
  letter: { api: fileOf(fileBytes.zip, 'application/octet-stream', 'letter.docx') },
  'own-format': { api: fileOf('Buffer.from([0, 1, 2, 250])', 'application/x-own', 'data.own') },
  'saves-files': {
    page: plainPage({
      body: `{isIn && <>
  <DownloadButton url="/api/mistakes/cover" filename="cover.jpeg" label="Save the cover" />
  <DownloadButton url="/api/mistakes/people-table" filename="people.csv" label="Save the table" />
  <DownloadButton url="/api/mistakes/letter" filename="letter.docx" label="Save the letter" />
</>}`,
    }),
  },
  // A page for everybody, with a control for whom the browser knows.
  'kept-by-caches': {
    page: plainPage({
      body: '<DownloadButton url="/api/mistakes/cover" filename="cover.jpeg" label="Save it" disabled={!isIn} />',
    }).replace("{ access: 'none' }", "{ access: 'none', cache: { maxAge: 60 } }"),
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
  const { send } = useApi();
  useEffect(() => {
    if (view.status === 'signed-in') void send('/api/mistakes/list');
  }, [send, view.status]);`,
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
