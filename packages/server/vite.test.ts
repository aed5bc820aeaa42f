/** What Vite's plugin makes of a site: built as `npm run build` does. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'vite';
import { expect, onTestFinished, test } from 'vitest';

const component = (line: string) => `
  import { onlyPost } from '@gatehouse/frame/server';
  ${line}
  export const loader = ({ request }) => { onlyPost(request); return null; };
  export default function Page() { return <p>{String(typeof name)}</p>; }`;

async function buildSite(files: Record<string, string>): Promise<void> {
  // Inside this package, so that packages resolve as they do here.
  await mkdir('.cache', { recursive: true });
  const root = await mkdtemp(path.resolve('.cache/built-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const site = {
    'package.json': JSON.stringify({
      type: 'module',
      dependencies: { '@remix-run/node': '*', isbot: '*' },
    }),
    'vite.config.js':
      "import { siteServer } from '@gatehouse/server/vite';\nexport default { plugins: [siteServer()], logLevel: 'silent' };",
    'app/routes.ts':
      "import { index } from '@remix-run/route-config';\nexport default [index('home.tsx')];",
    'app/root.tsx':
      "import { Outlet, Scripts } from '@remix-run/react';\nexport default () => <html><body><Outlet /><Scripts /></body></html>;",
    ...files,
  };
  for (const [file, text] of Object.entries(site)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
  await build({ root, configFile: path.join(root, 'vite.config.js') });
}

test.each([
  ['@gatehouse/frame/server', 'export const name = onlyPost;'],
  [
    '@gatehouse/simulator/samples',
    "export { sizeOf as name } from '@gatehouse/simulator/samples';",
  ],
  ['@gatehouse/store', "export { newId as name } from '@gatehouse/store';"],
  ['@gatehouse/accounts', "export { accountStateOf as name } from '@gatehouse/accounts';"],
])(
  'a component that imports %s stops the build with one sentence [W13 W19]',
  async (entry, used) => {
    await expect(buildSite({ 'app/home.tsx': component(used) })).rejects.toThrow(
      `app/home.tsx imports ${entry}, which runs on the server only`,
    );
  },
);

test('a loader may import it', async () => {
  await expect(
    buildSite({ 'app/home.tsx': component('const name = 1;') }),
  ).resolves.toBeUndefined();
});
