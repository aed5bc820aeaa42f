/** A mistake: a row of the table in docs/security.md, and routes that contain it. */
import type { FindingCode } from '@gatehouse/proof';

export interface Mistake {
  /** The first cell of its row. */
  row: string;
  /** Every variant must be reported with at least one of these codes. */
  reportedAs: readonly FindingCode[];
  /** Consequences of the mistake, which may be reported too. */
  alsoReported?: readonly FindingCode[];
  /** Variants by a unique name, which is part of the address, the file name and what is logged. */
  variants: Readonly<Record<string, Variant>>;
}

/** Source code of routes, without imports, which {@link sourceOf} adds. */
export interface Variant {
  /** A page at `/mistakes/<name>`. */
  page?: string;
  /** A layout around the page, which is then its index route. */
  layout?: string;
  /** A resource route at `/api/mistakes/<name>`. */
  api?: string;
  /** The rest of the path, such as `/:id`. */
  rest?: string;
  /** Whether `e2e/site.ts` lists a JSON post to it, because no form sends one. */
  posts?: boolean;
}

/** The names that the sources may import, by module. */
export const modules: Readonly<Record<string, string>> = {
  'node:http': 'get as httpGet',
  '@remix-run/node': 'createCookie data redirect',
  '@remix-run/react': 'Form Outlet useLoaderData useRouteError useRouteLoaderData',
  react: 'useEffect useState',
  undici: 'request as undiciRequest',
  '~/env.server': 'siteEnv',
  '@gatehouse/frame': 'returnPathOf',
  '@gatehouse/frame/react': 'useApi',
  '@gatehouse/platform': 'loginAddress toSafeProfile',
  '@gatehouse/platform/react': 'useUser',
  '@gatehouse/platform/server':
    'PlatformSdkError createUpstream guardFailureResponse refusal refusalOf respondWith',
  '~/platform.server': 'checkPlatformUser createPlatformSdk requirePlatformUser',
  '~/shell/platform/auth-buttons': 'SignInButton',
  '~/shell/platform/platform-lost': 'PlatformLost',
  '~/shell/platform/signed-out-panel': 'SignedOutPanel',
  '~/shell/download-button': 'DownloadButton',
  '~/ui/button': 'Button',
  '~/mistakes/pictures.server': 'pictureOf picturesOf',
  '~/platform/generations/generations': 'orderOf',
  '~/mistakes/shelf': 'Shelf',
  '~/mistakes/upstream.server': 'callUpstream',
};

/** A complete source file: the code, with imports for the names it uses. */
export function sourceOf(code: string): string {
  const lines = Object.entries(modules).flatMap(([from, names]) => {
    const used = names.split(/ (?!as )(?<! as )/).filter((name) => {
      const own = name.split(' ').at(-1) ?? '';
      const isDeclared = new RegExp(`(function |const \\{ call: )${own}\\b`).test(code);
      return !isDeclared && new RegExp(`\\b${own}\\b`).test(code);
    });
    return used.length > 0 ? [`import { ${used.join(', ')} } from '${from}';`] : [];
  });
  const types = 'import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";';
  return `${types}\n${lines.join('\n')}\n${code}`;
}

/** Code that the routes share, written to `app/mistakes/`. */
export const shared: Readonly<Record<string, string>> = {
  'pictures.server.ts': `
export function pictureOf(prompt: string) {
  return [orderOf(prompt), { idempotencyKey: crypto.randomUUID() }] as const;
}

export async function picturesOf(guard: Parameters<typeof createPlatformSdk>[0]) {
  try {
    return (await createPlatformSdk(guard).generations.list()).items;
  } catch (error) {
    if (!(error instanceof PlatformSdkError)) throw error;
    throw new Response(null, { status: error.status });
  }
}`,
  // The mistake is to call it without the guard.
  'upstream.server.ts':
    'export const { call: callUpstream } = createUpstream(() => siteEnv().platformInternalUrl);',
  'shelf.tsx': `
export function Shelf({ items, children }) {
  const { view } = useUser();
  if (view.status === 'changing') return <p>One moment.</p>;
  return (
    <div className="grid gap-6">
      <h1 className="font-display text-4xl">Pictures</h1>
      {view.status === 'signed-out' && <SignedOutPanel />}
      {view.status === 'unavailable' && <PlatformLost />}
      {view.status !== 'signed-out' && (
        <ul className="grid gap-2">
          {items.map(({ id, prompt }) => <li key={id} className="wrap-anywhere">{prompt}</li>)}
        </ul>
      )}
      {children}
    </div>
  );
}`,
};

/** A correct loader, which redirects signed-out visitors to sign-in. */
export const guardedLoader = `
export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await requirePlatformUser({ request, context });
  return { items: await picturesOf(guard) };
}`;

/** A correct loader of a page that is shown signed out. */
export const openLoader = `
export async function loader({ context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  return { items: guard.ok ? await picturesOf(guard) : [] };
}`;

export interface PageParts {
  /** Code at the top of the module. */
  top?: string;
  loader?: string;
  action?: string;
  /** Statements of the component. */
  use?: string;
  /** JSX below the list of pictures. */
  body?: string;
}

/** A page that lists the visitor's pictures, with the given parts. */
export function page({
  top = '',
  loader = guardedLoader,
  action = '',
  use = '',
  body = '',
}: PageParts): string {
  return `${top}
${loader}
${action}
export default function Page() {
  const { items } = useLoaderData<typeof loader>();
  ${use}
  return <Shelf items={items}>${body}</Shelf>;
}`;
}

/** The same, shown signed out too. */
export function openPage(parts: PageParts): string {
  const top = `export const handle = { signedOut: 'page' };\n${parts.top ?? ''}`;
  return page({ loader: openLoader, ...parts, top });
}

/** A public page without a loader, with the given parts. */
export function plainPage({ top = '', use = '', body = '' }: PageParts): string {
  return `${top}
export const handle = { access: 'none' };
export default function Page() {
  const { view } = useUser();
  const isIn = view.status === 'signed-in';
  ${use}
  return <div className="grid gap-6"><h1>Words for everybody</h1>${body}</div>;
}`;
}

/** A resource route whose loader runs these statements after the guard. */
export function api(statements: string, top = ''): string {
  return `${top}
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);
  ${statements}
}
export const action = () => refusal(405, 'method_not_allowed', { allow: 'GET, HEAD' });`;
}

/** Expressions for the bytes of small files. */
export const fileBytes = {
  png: "Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')",
  jpeg: "Buffer.from('/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=', 'base64')",
  zip: "Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64')",
} as const;

/** A resource route with this loader, without the guard. Other methods get a 405. */
export function readApi(loader: string, top = ''): string {
  return `${top}
export async function loader({ request, context }: LoaderFunctionArgs) {
  ${loader}
}
export const action = () => refusal(405, 'method_not_allowed', { allow: 'GET, HEAD' });`;
}

/** A resource route with this action, without the guard. Other methods get a 405. */
export function postApi(action: string): string {
  return `
export async function action({ request, context }: ActionFunctionArgs) {
  ${action}
}
export const loader = () => refusal(405, 'method_not_allowed', { allow: 'POST' });`;
}
