/**
 * The development loop, tested with the real programs: one `npm run dev` for all tests but the last, in a copy of the
 * repository. Each test edits files of the copy, which are restored after it.
 */
import { request } from 'node:http';
import { expect, test as base, type FrameLocator } from '@playwright/test';
import { findBrowser, openBrowser } from '@gatehouse/simulator/browser';
import {
  copyTree,
  running,
  startDevelopment,
  truncateThenWrite,
  type Development,
  type Tree,
} from './dev-program';

interface WorkerFixtures {
  tree: Tree;
  /** Runs at the log level `trace`, which both programs must accept. */
  development: Development;
}

interface TestFixtures {
  site: FrameLocator;
  /** The output since the start of the test. */
  output: () => string;
  restored: undefined;
}

const test = base.extend<TestFixtures, WorkerFixtures>({
  tree: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const tree = await copyTree();
      await use(tree);
      await tree.remove();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  development: [
    async ({ tree }, use) => {
      const development = await startDevelopment(tree.folder, { LOG_LEVEL: 'trace' });
      await use(development);
      await development.stop();
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  // eslint-disable-next-line no-empty-pattern -- as above
  context: async ({}, use) => {
    const { executablePath } = await findBrowser();
    const mode = { thirdPartyCookies: 'blocked', storage: 'partitioned' } as const;
    const browser = await openBrowser(mode, executablePath);
    await use(await browser.visitor());
    await browser.close();
  },
  page: async ({ context }, use) => {
    await use(await context.newPage());
  },
  site: async ({ page, development }, use) => {
    await page.goto(development.platformUrl);
    const site = page.frameLocator('iframe');
    await site.getByRole('banner').waitFor();
    await use(site);
  },
  output: async ({ development }, use) => {
    const from = development.output().length;
    await use(() => development.output().slice(from));
  },
  restored: [
    async ({ tree }, use) => {
      await use(undefined);
      await tree.restore();
    },
    { auto: true },
  ],
});

// One worker, so that all tests share one start.
test.describe.configure({ mode: 'default' });

const home = 'app/routes/home.tsx';
const broken = (text: string) => `${text}\nconst = ;\n`;

for (const [what, file] of [
  ['a route that is not shown', 'app/routes/account.tsx'],
  ['a file of the server', 'packages/server/src/responses/headers.ts'],
] as const) {
  test(`${what} does not compile: the frame shows the overlay, and recovers by itself`, async ({
    page,
    site,
    tree,
    output,
  }) => {
    await tree.edit(file, broken);
    await page.getByRole('button', { name: 'Reload the frame' }).click();
    await expect(site.locator('vite-error-overlay').getByText(file).first()).toBeVisible();
    await expect.poll(output).toContain(file);
    await tree.restore();
    await expect(site.getByRole('banner')).toBeVisible();
  });
}

test('files of public/ are served in every spelling of their names, as in production', async ({
  development: { siteOrigin },
  tree,
}) => {
  await tree.add('public/shot[1].txt', 'A shot');
  await tree.add('public/a#b?c 100%.txt', 'Odd');
  const added = ['/shot[1].txt', '/shot%5B1%5D.txt', '/%73hot%5b1].txt', '/a%23b%3fc%20100%25.txt'];
  for (const path of [...added, '/favicon.svg', '/%66avicon.svg']) {
    await expect.poll(() => statusOf(siteOrigin, path), path).toBe(200);
    expect([path, await statusOf(siteOrigin, path, { range: 'bytes=0-1' })]).toEqual([path, 206]);
  }
  for (const path of ['/%2566avicon.svg', '/..%2fpublic%2ffavicon.svg', '/favicon.svg%00']) {
    expect([path, await statusOf(siteOrigin, path)]).toEqual([path, 404]);
  }
});

test('offers of other protocols are ignored by the edge and by the site’s own port', async ({
  development: { siteOrigin, ownUrl },
}) => {
  const settings = { 'http2-settings': 'AAMAAABkAAQCAAAAAAIAAAAA' };
  for (const origin of [siteOrigin, ownUrl]) {
    const connection = 'Upgrade, HTTP2-Settings';
    expect(await statusOf(origin, '/', { connection, upgrade: 'h2c', ...settings })).toBe(200);
  }
  // Not for Vite.
  expect(await statusOf(ownUrl, '/', { connection: 'Upgrade', upgrade: 'websocket' })).toBe(200);
});

/** Without `fetch`, which sends no path as it is. */
function statusOf(origin: string, path: string, headers = {}): Promise<number | undefined> {
  const { host, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { host, ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once('error', reject)
      .end();
  });
}

test('an edit that does not compile shows the overlay on the open page, without a request', async ({
  site,
  tree,
}) => {
  const file = 'packages/server/src/responses/headers.ts';
  await tree.edit(file, broken);
  await expect(site.locator('vite-error-overlay').getByText(file).first()).toBeVisible();
  await tree.restore();
  await expect(site.locator('vite-error-overlay')).toHaveCount(0);
  await expect(site.getByRole('banner')).toBeVisible();
});

test('an edit during a load that fails takes effect', async ({ tree, development, output }) => {
  await tree.edit('packages/server/src/responses/headers.ts', (text) =>
    [
      "console.error('being loaded');",
      'await new Promise((resolve) => setTimeout(resolve, 2_000));',
      "throw new Error('failed late');",
      text,
    ].join('\n'),
  );
  const pending: Promise<Response>[] = [];
  await expect
    .poll(() => {
      pending.push(fetch(development.ownUrl));
      return output();
    })
    .toContain('being loaded');
  await tree.restore();
  for (const response of await Promise.all(pending)) expect(response.status).toBe(200);
  expect((await fetch(development.ownUrl)).status).toBe(200);
});

test('an edit of the server takes effect at the next request, in the relay too', async ({
  tree,
  development,
}) => {
  const header = async (path: string) =>
    (await fetch(development.ownUrl + path)).headers.get('x-edited');
  for (const path of ['/', '/api/user']) expect(await header(path)).toBeNull();
  await tree.edit('packages/server/src/responses/headers.ts', (text) =>
    text.replace("'x-content-type-options': 'nosniff',", "$&\n  'x-edited': 'yes',"),
  );
  for (const path of ['/', '/api/user']) await expect.poll(() => header(path)).toBe('yes');

  await tree.edit('packages/platform/src/server/user-relay.ts', (text) =>
    text.replace(
      'relayPlatformUser: (visitor, requestId) =>',
      'relayPlatformUser: () => Promise.resolve({ status: 299, headers: {}, body: null }),\nbefore: (visitor, requestId) =>',
    ),
  );
  await expect.poll(async () => (await fetch(`${development.ownUrl}/api/user`)).status).toBe(299);
});

const routes = 'app/routes.ts';
const birdPage = [
  "export const handle = { access: 'none' };",
  'export default function Bird() {',
  '  return <h1>A bird</h1>;',
  '}',
  '',
].join('\n');
const withRoute = (path: string, file: string) => (text: string) =>
  text.replace(/^ {2}index\(.*\n/m, `$&  route('${path}', '${file}'),\n`);

test('a new route works at the next request, even if the editor truncated the routes file first', async ({
  tree,
  development,
}) => {
  const status = async (path: string) => (await fetch(`${development.ownUrl}/${path}`)).status;
  // Several times, because whether the empty file is read is a race.
  for (const path of ['gull', 'kite', 'tern']) {
    const file = `routes/${path}.tsx`;
    await tree.add(`app/${file}`, birdPage);
    await tree.edit(routes, withRoute(path, file), truncateThenWrite);
    await expect.poll(() => status(path)).toBe(200);
  }
  await tree.restore();
  await expect.poll(() => status('gull')).toBe(404);
});

test('a route that was added before its file works once the file exists', async ({
  page,
  site,
  tree,
  development,
}) => {
  const status = async () => (await fetch(`${development.ownUrl}/rook`)).status;
  await tree.edit(routes, withRoute('rook', 'routes/rook.tsx'));
  await expect.poll(status).toBe(500);
  await page.getByRole('button', { name: 'Reload the frame' }).click();
  const overlay = site.locator('vite-error-overlay');
  await expect(overlay.getByText('app/routes/rook.tsx').first()).toBeVisible();
  await tree.add('app/routes/rook.tsx', birdPage);
  await expect(site.getByRole('banner')).toBeVisible();
  await page.getByLabel('Path in the site').fill('/rook');
  await page.getByLabel('Path in the site').press('Enter');
  await expect(site.getByRole('heading', { name: 'A bird' })).toBeVisible();
  await tree.restore();
  await expect.poll(status).toBe(404);
});

for (const file of [
  'packages/server/src/serve.ts',
  'app/server/dev.ts',
  'packages/server/src/development/pages.ts',
  'packages/simulator/src/edge/edge.ts',
]) {
  test(`an edit of ${file} is reported as requiring a restart`, async ({
    tree,
    development,
    output,
  }) => {
    await fetch(development.ownUrl);
    await tree.edit(file, (text) => `${text}\n`);
    await expect.poll(output).toMatch(new RegExp(`${file} .*restart`));
  });
}

test('an edit of vite.config.ts restarts Vite, and edits take effect as before', async ({
  page,
  site,
  tree,
  output,
}) => {
  await tree.edit('vite.config.ts', (text) => `${text}\n`);
  await expect.poll(output).toContain('server restarted');
  const connected = page.waitForEvent('console', (message) =>
    message.text().includes('connected.'),
  );
  await page.getByRole('button', { name: 'Reload the frame' }).click();
  await connected;
  await tree.edit(home, (text) => text.replace(/(<h1[^>]*>)/, '$1Edited '));
  await expect(site.getByRole('heading', { level: 1 })).toContainText('Edited');
});

for (const [what, file, from, to] of [
  ['the page', 'app/studio/routes/studio.tsx', /<h1([^>]*)>[^<]*/, '<h1$1>Edited'],
  [
    'a module of its loaders',
    'packages/platform/src/server/guard-results.ts',
    'profile: toSafeProfile(guard.user)',
    "profile: { ...toSafeProfile(guard.user), displayName: 'Edited' }",
  ],
] as const) {
  test(`an edit of ${what} appears at once, and keeps the visitor’s input`, async ({
    page,
    site,
    tree,
  }) => {
    await page.getByRole('button', { name: 'Ada Quist' }).click();
    await site.getByText('Ada Quist').first().waitFor();
    await site.getByRole('link', { name: 'Studio' }).first().click();
    await expect(site.getByRole('button', { name: 'Generate' })).toBeEnabled();
    const prompt = site.getByRole('textbox').first();
    await prompt.fill('A kite over the sea');
    await tree.edit(file, (text) => text.replace(from, to));
    await expect(site.getByText('Edited').first()).toBeVisible();
    await expect(prompt).toHaveValue('A kite over the sea');
  });
}

test('a thrown error shows its message, line and stack, and is logged in short lines', async ({
  page,
  site,
  tree,
  output,
}) => {
  await tree.edit('app/routes/not-found.tsx', (text) =>
    text.replace(
      /export (async )?function loader[^{]*\{/,
      "$&\n  throw new Error('no kite today');",
    ),
  );
  await page.getByLabel('Path in the site').fill('/nowhere');
  await page.getByLabel('Path in the site').press('Enter');
  const shown = site.getByText('no kite today').last();
  await expect(shown).toContainText("throw new Error('no kite today');");
  await expect(shown).toContainText(/at loader \(app\/routes\/not-found\.tsx:\d+:\d+\)/);
  await expect.poll(output).toMatch(/^site │ +at loader \(app\/routes\/not-found\.tsx:\d+:\d+\)$/m);
  for (const line of output().split('\n')) expect(line.length).toBeLessThan(400);
});

test('the CSP blocks an inline style, as in production, but not the site’s own styles', async ({
  page,
  site,
  tree,
}) => {
  const noise: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy|hydrat|Extra attributes/i.test(message.text()))
      noise.push(message.text());
  });
  await page.getByRole('button', { name: 'Reload the frame' }).click();
  const heading = site.getByRole('heading', { level: 1 });
  await expect(heading).not.toHaveCSS('font-size', '32px');
  expect(noise).toEqual([]);

  await tree.edit('app/shell/page-shell.tsx', (text) =>
    text.replace('{children}', '{children}<style>{"h1 { text-transform: uppercase }"}</style>'),
  );
  await page.getByRole('button', { name: 'Reload the frame' }).click();
  await expect.poll(() => noise.join('\n')).toContain('style-src');
  await expect(heading).not.toHaveCSS('text-transform', 'uppercase');
});

test('the log level applies in routes; a page is logged as one line, its files are not', async ({
  page,
  site,
  tree,
  output,
}) => {
  await tree.edit(home, (text) =>
    text
      .replace(/^import /m, "import { log } from '@gatehouse/server/log';\nimport ")
      .concat(
        "\nexport function loader() {\n  log.debug('logged by the route');\n  return null;\n}\n",
      ),
  );
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Reload the frame' }).click();
      await site.getByRole('banner').waitFor();
      return output();
    })
    .toMatch(/DEBUG: logged by the route/);
  await expect.poll(output).toMatch(/^site │ .*INFO: GET \/ 200 in \d+ ms/m);
  expect(output()).not.toMatch(/INFO: GET \/(app|node_modules|@)/);
});

test('a call that violates the contract is logged', async ({ development, output }) => {
  await fetch(`${development.internalUrl}/user`, { headers: { authorization: 'Bearer x' } });
  await expect.poll(output).toMatch(/^platform │ credentials_sent: GET \/user\. /m);
});

test('a crash and a recovery of the MCP server are reported, and the site keeps running', async ({
  tree,
  development,
  output,
}) => {
  await tree.edit('packages/mcp/src/command-line.ts', broken);
  await expect.poll(output).toMatch(/^mcp │ The MCP server ended \(1\)/m);
  expect((await fetch(development.ownUrl)).status).toBe(200);
  await tree.restore();
  await expect.poll(output).toMatch(/^mcp │ http:\/\/127\.0\.0\.1:\d+\/mcp$/m);
});

test('the site’s own port refers browsers to the URL to open, and responds to other clients', async ({
  page,
  development,
}) => {
  const response = await page.goto(`${development.ownUrl}/studio?a=1`);
  expect(response?.status()).toBe(421);
  await expect(page.getByRole('link', { name: development.platformUrl })).toBeVisible();
  await page.getByRole('link', { name: `${development.siteOrigin}/studio?a=1` }).click();
  await expect(page.getByRole('banner')).toBeVisible();
  const statusOf = async (path: string) => (await fetch(development.ownUrl + path)).status;
  expect([await statusOf('/healthz'), await statusOf('/api/user')]).toEqual([200, 401]);
});

test('the site runs if the MCP server refuses a setting; killing npm ends all processes', async ({
  tree,
}) => {
  test.slow();
  const development = await startDevelopment(tree.folder, { MCP_RATE_LIMIT: 'many' });
  await expect.poll(() => development.output()).toMatch(/^mcp │ MCP_RATE_LIMIT must be /m);
  await expect.poll(() => development.output()).toMatch(/^mcp │ The MCP server ended \(1\)/m);
  expect((await fetch(development.ownUrl)).status).toBe(200);

  const processes = await development.descendants();
  expect(processes.length).toBeGreaterThan(2);
  process.kill(development.pid, 'SIGKILL');
  await expect.poll(() => running(processes)).toEqual([]);
  await expect(fetch(development.ownUrl)).rejects.toThrow();
});
