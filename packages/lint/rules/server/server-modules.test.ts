/** Server modules must not reach the browser with a page. */
import { phrasings } from '../../test/rule-tester.ts';
import rule from './server-modules.js';

const route = [{ route: true }];
const imports =
  "import { siteEnv } from '~/env.server';\nimport { checkPlatformUser } from '~/platform.server';\nimport type { LoaderFunctionArgs } from '@remix-run/node';\nimport { useLoaderData } from '@remix-run/react';\n";
const loader =
  'export const loader = ({ context }: LoaderFunctionArgs) => checkPlatformUser(context);\n';

phrasings(
  'site/server-modules reports server code used by a route’s page [W12] [W23]',
  rule,
  {
    used: [
      `${imports}${loader}export default function Page() {\n  return <p>{siteEnv().siteOrigin}</p>;\n}`,
      `${imports}${loader}const name = () => siteEnv().mode;\nexport default function Page() {\n  return <p>{name()}</p>;\n}`,
      `${imports}${loader}function Name() { return <b>{inner()}</b>; }\nfunction inner() { return siteEnv().mode; }\nexport default function Page() {\n  return <Name />;\n}`,
      `${imports}${loader}export function ErrorBoundary() {\n  return <p>{siteEnv().mode}</p>;\n}`,
      `${imports}${loader}export const meta = () => [{ title: siteEnv().mode }];`,
      `${imports}${loader}export const handle = { access: 'none', body: siteEnv().port };`,
      `${imports}${loader}export const clientLoader = () => siteEnv().mode;`,
      `${imports}${loader}siteEnv();`,
      "import { createHash } from 'node:crypto';\nexport default function Page() {\n  return <p>{createHash('md5').update('x').digest('hex')}</p>;\n}",
      `${imports}${loader}export default function Page() {\n  void import('~/platform.server');\n  return null;\n}`,
      "import { redirect } from '@remix-run/node';\nexport default function Page() {\n  throw redirect('/x');\n}",
      "import { siteEnv } from '~/env.server';\nconst Page = () => <p>{siteEnv().mode}</p>;\nexport default Page;",
      "import { siteEnv } from '~/env.server';\nconst Page = () => <p>{siteEnv().mode}</p>;\nexport { Page as default };",
    ],
    imported: [
      "export { siteEnv } from '~/env.server';",
      "export * from '~/platform.server';",
      "export { loader, default } from './page.server';",
    ],
  },
  [
    `${imports}${loader}export default function Page() {\n  return <p>{JSON.stringify(useLoaderData<typeof loader>())}</p>;\n}`,
    `${imports}const mode = () => siteEnv().mode;\nexport const loader = () => mode();\nexport default function Page() {\n  return <p>{String(useLoaderData<typeof loader>())}</p>;\n}`,
    `${imports}export async function action({ context }: LoaderFunctionArgs) {\n  return refused(await checkPlatformUser(context));\n}\nfunction refused(given: unknown) {\n  return { given, mode: siteEnv().mode };\n}\nexport default function Page() {\n  return <p>x</p>;\n}`,
    "import type { PlatformSdk } from '~/platform.server';\nexport default function Page({ sdk }: { sdk: PlatformSdk }) {\n  return <p>{typeof sdk}</p>;\n}",
    "export { loader } from './page.server';",
    "import { refusalIn } from '@gatehouse/platform/server';\ntype Refusal = ReturnType<typeof refusalIn>;\nexport const action = (): Refusal => refusalIn(null);",
    "import { refusal } from '@gatehouse/platform/server';\nexport const loader = notAllowed;\nfunction notAllowed() {\n  return refusal(405, 'x');\n}",
    "import { createHmac } from 'node:crypto';\nconst secret = createHmac('sha256', 'x');\nexport const action = () => secret.digest('hex');",
  ],
  route,
);

phrasings(
  'site/server-modules reports server modules in a component [W12] [W23]',
  rule,
  {
    imported: [
      "import { createPlatformSdk } from '~/platform.server';\nexport const sdk = createPlatformSdk;",
      "import { log } from '@gatehouse/server/log';\nexport { log };",
      "import '~/env.server';",
      "export { media } from '~/platform/operations';",
      "import { drawPicture } from '@gatehouse/simulator/samples';\nexport { drawPicture };",
      "import { readFile } from 'node:fs/promises';\nexport { readFile };",
      "import { redirect } from '@remix-run/node';\nexport { redirect };",
      "export const load = () => import('~/platform.server');",
      "export { siteEnv } from '../env.server';",
      "import { type SiteEnv, siteEnv } from '~/env.server';\nexport const env: SiteEnv = siteEnv();",
      "import { bookmarks } from '../platform/operations/bookmarks';\nexport { bookmarks };",
    ],
  },
  [
    "import type { SiteEnv } from '~/env.server';\nexport type Mode = SiteEnv['mode'];",
    "import { type SiteEnv } from '~/env.server';\nexport type Mode = SiteEnv['mode'];",
    "import { observer } from './my-server';\nexport { observer };",
    "import { uploadTypes } from '~/platform/media/media';\nexport { uploadTypes };",
    "export type { RouteHandle } from '@gatehouse/server/route';",
  ],
);
