/** The MCP server's page for entering a secret, in a browser: accessibility, keyboard use, attacks by other sites. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chromium,
  expect,
  test as base,
  type Browser,
  type Locator,
  type Page,
} from '@playwright/test';
import { complaintsIn, findBrowser } from '@gatehouse/simulator/browser';
import { childEnv } from '@gatehouse/simulator/programs';

/** Milliseconds for the fixtures that start once per worker. */
const startTimeout = 120_000;
const secret = 'a-secret-of-the-person';

interface PendingQuestion {
  /** The URL of the page. */
  url: string;
  /** Accepts the elicitation, and resolves to everything that the client received by the end of the call. */
  agree: () => Promise<string>;
}

const test = base.extend<object, { plainBrowser: Browser; elicit: () => Promise<PendingQuestion> }>(
  {
    plainBrowser: [
      // eslint-disable-next-line no-empty-pattern -- Playwright reads the parameter's text
      async ({}, use) => {
        const { executablePath } = await findBrowser();
        const browser = await chromium.launch({ executablePath });
        await use(browser);
        await browser.close();
      },
      { scope: 'worker', timeout: startTimeout },
    ],
    elicit: [
      // eslint-disable-next-line no-empty-pattern -- Playwright reads the parameter's text
      async ({}, use) => {
        const { endpoint, stop } = await startServer();
        await use(() => elicitSecret(endpoint));
        await stop();
      },
      { scope: 'worker', timeout: startTimeout },
    ],
  },
);

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 1280]) {
    test(`is accessible at a width of ${width}, ${colorScheme} [M30]`, async ({
      plainBrowser,
      elicit,
    }) => {
      const { url } = await elicit();
      const context = await plainBrowser.newContext({
        colorScheme,
        viewport: { width, height: 760 },
      });
      const page = await context.newPage();
      await page.goto(url);
      await expect(page.getByRole('heading', { name: 'Connect your account' })).toBeVisible();
      const field = fieldOf(page);
      await expect(field).toBeFocused();
      await field.fill('x'.repeat(5_000));
      await page.keyboard.press('Enter');
      await expect(page.getByRole('alert')).toContainText('1 to 4,096 characters');
      expect(await complaintsIn(page.mainFrame())).toEqual([]);
      const overflow = () => document.documentElement.scrollWidth - innerWidth;
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
      await context.close();
    });
  }
}

test('accepts a secret once, by keyboard alone, and never sends it to the client [M30]', async ({
  plainBrowser,
  elicit,
}) => {
  const { url, agree } = await elicit();
  const page = await plainBrowser.newPage();
  await page.goto(url);
  await expect(fieldOf(page)).toBeFocused();
  await page.keyboard.type(secret);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Received' })).toBeVisible();
  expect(page.url()).toBe(url);
  await page.goto(url);
  await expect(page.getByRole('heading', { name: 'This page is closed' })).toBeVisible();
  const received = await agree();
  expect(received).toContain('"result"');
  expect(received).not.toContain(secret);
  await page.close();
});

test('another site can neither frame it nor fill it in [M30]', async ({ plainBrowser, elicit }) => {
  const { url } = await elicit();
  const page = await plainBrowser.newPage();
  await page.route('http://evil.localhost/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<iframe src="${url}"></iframe>
<form method="post" action="${url}"><input name="secret" value="${secret}"><button>Win</button></form>`,
    }),
  );
  await page.goto('http://evil.localhost/');
  await expect.poll(() => page.frames().at(-1)?.url()).toBe('chrome-error://chromewebdata/');
  const [response] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    page.getByRole('button', { name: 'Win' }).click(),
  ]);
  expect(response.status()).toBe(403);
  await expect(page.getByRole('alert')).toHaveText('The form was not sent from this page.');
  await page.close();
});

function fieldOf(page: Page): Locator {
  return page.getByLabel('Your personal API token of the directory');
}

/** Starts the server with sessions, in front of an unreachable service. */
async function startServer(): Promise<{ endpoint: string; stop: () => Promise<void> }> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'packages/mcp/examples/directory/main.ts', '--http'],
    {
      env: childEnv({
        MCP_PORT: '0',
        MCP_SESSIONS: '1',
        EXAMPLE_API_BASE_URL: 'http://127.0.0.1:9',
      }),
    },
  );
  const ended = once(child, 'close');
  let logged = '';
  const endpoint = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (text: Buffer) => {
      logged += text.toString();
      const [, url] = /"url":"(http:[^"]+)"/.exec(logged) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', () => {
      reject(new Error(logged));
    });
  });
  return {
    endpoint,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      expect(logged).not.toContain(secret);
    },
  };
}

/** Acts as a client, up to the elicitation that asks its user to open a page. */
async function elicitSecret(endpoint: string): Promise<PendingQuestion> {
  let session = '';
  const post = async (message: object) => {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== '' && { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
    session ||= response.headers.get('mcp-session-id') ?? '';
    return response;
  };
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: { url: {} } },
    clientInfo: { name: 'test', version: '0' },
  };
  await (await post({ id: 1, method: 'initialize', params })).text();
  const call = { name: 'example_connect_account', arguments: {} };
  const response = await post({ id: 2, method: 'tools/call', params: call });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let received = '';
  const read = async (isEnough: () => boolean) => {
    while (!isEnough()) {
      const part = await reader?.read();
      if (part?.value === undefined) break;
      received += part.value;
    }
  };
  const question = /^data: (.*"elicitation\/create".*)$/m;
  await read(() => question.test(received));
  const elicitation = JSON.parse(question.exec(received)?.[1] ?? '{}') as {
    id: number;
    params: { url: string };
  };
  return {
    url: elicitation.params.url,
    agree: async () => {
      await (await post({ id: elicitation.id, result: { action: 'accept' } })).text();
      await read(() => false);
      return received;
    },
  };
}
