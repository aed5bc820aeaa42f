/** Mistakes in what signed-out visitors are offered, and in accessibility. */
import { openPage, page, plainPage, type Mistake } from './mistake';

const submit = `
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

const fields =
  '<label>Words <input name="prompt" required /></label><Button type="submit">Make it</Button>';

/** A loader of an open page that also returns the visitor's name. */
const namedLoader = `
export async function loader({ context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return { items: [], name: '' };
  return { items: await picturesOf(guard), name: toSafeProfile(guard.user).displayName };
}`;

/** A page with its own signed-out content instead of the panel in `Shelf`. */
const bare = (body: string, use = '') => `
export const handle = { signedOut: 'page' };
export async function loader({ context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  return { items: guard.ok ? await picturesOf(guard) : [] };
}
export default function Page() {
  const { items } = useLoaderData<typeof loader>();
  const { view } = useUser();
  ${use}
  if (view.status === 'unavailable') return <PlatformLost />;
  if (view.status !== 'signed-out') return <Shelf items={items} />;
  return ${body};
}`;

export const signedOut: readonly Mistake[] = [
  {
    row: 'a control that works signed out, or before `/api/user` is known',
    reportedAs: ['signed-out-page/usable-control'],
    alsoReported: ['everybody/accessibility'],
    variants: {
      'form-for-all': {
        page: openPage({ action: submit, body: `<Form method="post">${fields}</Form>` }),
      },
      'enabled-by-loader': {
        page: openPage({
          action: submit,
          body: `<Form method="post"><fieldset disabled={!items}>${fields}</fieldset></Form>`,
        }),
      },
      'only-looks-disabled': {
        page: openPage({
          action: submit,
          use: 'const { view } = useUser();',
          body: `<Form method="post" className={view.status === 'signed-in' ? '' : 'pointer-events-none opacity-50'}>${fields}</Form>`,
        }),
      },
      'button-that-asks': {
        page: openPage({
          use: 'const { send } = useApi();',
          body: "<Button onClick={() => void send('/api/mistakes/target', { body: { prompt: 'A lighthouse' } })}>A surprise</Button>",
        }),
      },
      'enabled-by-server': {
        page: page({
          action: submit,
          body: `<Form method="post"><fieldset disabled={!items}>${fields}</fieldset></Form>`,
        }),
      },
      'unless-signed-out': {
        page: openPage({
          action: submit,
          use: 'const { view } = useUser();',
          body: `<Form method="post"><fieldset disabled={view.status === 'signed-out'}>${fields}</fieldset></Form>`,
        }),
      },
      'menu-that-asks': {
        page: openPage({
          use: 'const { send } = useApi();',
          body: "<details><summary>More</summary><Button onClick={() => void send('/api/mistakes/target', { body: { prompt: 'A lighthouse' } })}>A surprise</Button></details>",
        }),
      },
      'switch-that-asks': {
        page: openPage({
          use: 'const { send } = useApi();',
          body: "<label>Kind <select onChange={() => void send('/api/mistakes/target', { body: { prompt: 'A lighthouse' } })}><option>Oil</option><option>Ink</option></select></label>",
        }),
      },
    },
  },
  {
    row: "a page that requests the visitor's data before it knows who they are",
    reportedAs: ['signed-out-page/requested'],
    variants: {
      'asks-at-once': {
        page: openPage({
          use: "const { send } = useApi();\n  useEffect(() => { void send('/api/mistakes/list'); }, [send]);",
        }),
      },
      'fetches-at-once': {
        page: openPage({
          use: "useEffect(() => { fetch('/api/mistakes/list').then((found) => found.text()).catch(() => undefined); }, []);",
        }),
      },
      'polls-at-once': {
        page: openPage({
          use: `const { send } = useApi();
  useEffect(() => {
    const timer = setInterval(() => void send('/api/mistakes/list'), 400);
    return () => clearInterval(timer);
  }, [send]);`,
        }),
      },
    },
  },
  {
    row: 'a page that still shows the visitor’s data after their session has ended',
    reportedAs: ['signed-out-page/still-shown'],
    variants: {
      'kept-in-state': {
        page: openPage({
          loader: namedLoader,
          use: 'const [name] = useState(useLoaderData<typeof loader>().name);',
          body: '<p>{name}</p>',
        }),
      },
      'kept-in-label': {
        page: openPage({
          loader: namedLoader,
          use: 'const [name] = useState(useLoaderData<typeof loader>().name);',
          body: '<section aria-label={name}><p>Hello</p></section>',
        }),
      },
      'never-revalidated': {
        page: openPage({
          top: 'export const shouldRevalidate = () => false;',
          loader: namedLoader,
          use: 'const { name } = useLoaderData<typeof loader>();',
          body: '<p>{name}</p>',
        }),
      },
      'fetched-once': {
        page: openPage({
          use: `const { view } = useUser();
  const [name, setName] = useState('');
  const isIn = view.status === 'signed-in';
  useEffect(() => {
    if (isIn) fetch('/api/user').then((found) => found.json()).then((user) => setName(user.name)).catch(() => undefined);
  }, [isIn]);`,
          body: '<p>{name}</p>',
        }),
      },
    },
  },
  {
    row: 'a page without a panel that explains what signing in is for',
    reportedAs: ['signed-out-page/no-panel'],
    alsoReported: ['everybody/accessibility'],
    variants: {
      'nothing-for-strangers': { page: bare('<h1>Pictures</h1>') },
      'sentence-for-strangers': {
        page: bare(
          '<section><h1>Pictures</h1><p>You have to sign in before you can see any of your pictures here.</p></section>',
        ),
      },
      'button-for-strangers': { page: bare('<SignInButton>Sign in to go on</SignInButton>') },
    },
  },
  {
    row: 'a page wider than a phone',
    reportedAs: ['everybody/sideways'],
    variants: {
      'fixed-width': {
        page: plainPage({ body: '<p className="w-[30rem]">As wide as it is.</p>' }),
      },
      'wide-table': {
        page: plainPage({
          body: '<table className="min-w-[40rem]"><tbody><tr><td>One</td><td>Two</td></tr></tbody></table>',
        }),
      },
      'one-line': {
        page: plainPage({
          body: '<p className="whitespace-nowrap">A sentence that is not broken, however long it is, and however narrow the screen may be.</p>',
        }),
      },
    },
  },
  {
    row: "a control out of the keyboard's reach",
    reportedAs: ['everybody/keyboard'],
    alsoReported: ['everybody/accessibility'],
    variants: {
      'div-as-button': {
        page: plainPage({ body: '<div role="button" onClick={() => undefined}>Show more</div>' }),
      },
      'out-of-order': {
        page: plainPage({ body: '<button type="button" tabIndex={-1}>Show more</button>' }),
      },
      'focus-kept': {
        page: plainPage({
          use: `useEffect(() => {
    const keep = (event) => { if (event.key === 'Tab') event.preventDefault(); };
    document.addEventListener('keydown', keep);
    return () => document.removeEventListener('keydown', keep);
  }, []);`,
        }),
      },
    },
  },
  {
    row: 'a page with axe violations',
    reportedAs: ['everybody/accessibility'],
    variants: {
      'no-name': {
        page: plainPage({
          body: '<button type="button"><svg viewBox="0 0 24 24" className="size-6" /></button>',
        }),
      },
      'no-label': { page: plainPage({ body: '<input name="search" className="border" />' }) },
      'no-text-for-picture': {
        page: plainPage({ body: '<img src="/favicon.svg" className="size-6" />' }),
      },
      'pale-words': {
        page: plainPage({
          body: '<p className="bg-[#ffffff] text-[#dddddd]">Hardly to be seen.</p>',
        }),
      },
    },
  },
];
