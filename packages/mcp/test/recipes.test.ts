/** Compiles the code of the recipes, and checks over HTTP that it works as they describe. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type {
  Lifespan,
  PromptDefinition,
  ResourceDefinition,
  ServiceDefinition,
} from '../src/core/definition/service-definition.ts';
import type { ApiState } from '../src/core/upstream/api.ts';
import { textOf } from './doubles/connected-client.ts';
import { connectOverHttp, startServer } from './doubles/http-server.ts';
import { png, startTracker, trackerSecret } from './doubles/tracker-double.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const pages = path.join(folder, 'docs/recipes');
let copy = '';

/** Writes each recipe's files where they import the package, as they are on its page. */
beforeAll(async () => {
  await mkdir(path.join(folder, '.cache'), { recursive: true });
  copy = await mkdtemp(path.join(folder, '.cache/recipes-'));
  for (const page of await readdir(pages)) {
    const text = await readFile(path.join(pages, page), 'utf8');
    for (const [, file = '', code = ''] of text.matchAll(/^`([^`]+)`:\n\n```ts\n(.*?)^```$/gms)) {
      await mkdir(path.join(copy, path.dirname(file)), { recursive: true });
      await writeFile(path.join(copy, file), code);
    }
  }
});
afterAll(() => rm(copy, { recursive: true, force: true }));

async function exportsOf<Definition>(room: string): Promise<Definition[]> {
  const place = path.join(copy, room);
  const files = (await readdir(place)).sort();
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(path.join(place, file)).href) as Promise<object>),
  );
  return modules.flatMap((module) => Object.values(module) as Definition[]);
}

type Start = (baseUrl: string, secret: string) => Lifespan<ApiState>;

async function trackerService(
  baseUrl: string,
  secret: string,
  around?: ServiceDefinition['around'],
): Promise<ServiceDefinition<ApiState>> {
  const file = path.join(copy, 'tracker-api.ts');
  const { trackerApi } = (await import(pathToFileURL(file).href)) as { trackerApi: Start };
  return {
    name: 'tracker_mcp',
    title: 'Tracker',
    instructions: 'Issues.',
    tools: await exportsOf<ServiceDefinition['tools'][number]>('tools'),
    resources: await exportsOf<ResourceDefinition>('resources'),
    prompts: await exportsOf<PromptDefinition>('prompts'),
    ...(around && { around }),
    start: () => trackerApi(baseUrl, secret),
  };
}

/** Connects a client over HTTP to the recipes' service, with a tracker as its upstream. */
async function connected({
  secret = trackerSecret,
  around = undefined as ServiceDefinition['around'],
} = {}) {
  const tracker = await startTracker();
  onTestFinished(() => tracker.close());
  const logged: string[] = [];
  const { url } = await startServer({
    service: await trackerService(tracker.url, secret, around),
    logged: (line) => logged.push(line),
  });
  const { client } = await connectOverHttp(url);
  return { tracker, client, logged, call: caller(client) };
}

function caller(client: Client) {
  return async (tool: string, args: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name: `tracker_${tool}`, arguments: args });
    return { result, text: textOf(result), data: result.structuredContent };
  };
}

test('each page has code, and all of it compiles', async () => {
  const config = {
    extends: path.join(folder, 'tsconfig.json'),
    include: ['.'],
    exclude: [],
  };
  await writeFile(path.join(copy, 'tsconfig.json'), JSON.stringify(config));
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [compiler, '--noEmit', '-p', copy]);
  for (const page of await readdir(pages)) {
    expect(await readFile(path.join(pages, page), 'utf8'), page).toMatch(
      /^`[\w./-]+\.ts`:\n\n```ts$/m,
    );
  }
});

test('numbered pages become limit and offset, with the total from a header [M14 M15]', async () => {
  const { call, tracker } = await connected();
  const { data, text } = await call('list_issues', { labels: ['bug', 'ui'], limit: 2, offset: 3 });
  expect(data).toMatchObject({ total: 65, count: 2, offset: 3, has_more: true, next_offset: 5 });
  expect(text).toContain('# 65 open issues\n\n- Issue 123 (123)\n\n- Issue 121 (121)');
  const requested = tracker.requests.at(-1)?.url ?? '';
  expect(decodeURIComponent(requested)).toBe(
    '/issues?page=1&per_page=100&label=bug&label=ui&filter[state]=open',
  );
  expect((await call('list_issues', { offset: 120 })).data).toMatchObject({
    total: 130,
    count: 10,
    has_more: false,
  });
});

test('a list with cursors reports what is known of its total, and each page is read once [M15]', async () => {
  const { call, tracker } = await connected();
  const first = await call('list_comments', { issue_id: 7, limit: 2 });
  expect(first.data).toMatchObject({ total: 3, total_is_minimum: true, next_offset: 2 });
  expect(first.text).toContain(
    '# At least 3 comments\n\n**zoë**\n\n> Remark 0\n> \\# no heading\n\n',
  );
  const second = await call('list_comments', { issue_id: 7, limit: 5, offset: 2 });
  expect(second.data).toMatchObject({ total: 7, total_is_minimum: false, has_more: false });
  const comments = tracker.requests.filter(({ url }) => url.includes('comments'));
  expect(comments.map(({ url }) => url.split('?')[1])).toEqual([undefined, 'cursor=3', 'cursor=6']);
});

test('CSV is returned as text in its own charset, inside a fence', async () => {
  const { call } = await connected();
  const { text, data } = await call('export_issues', { state: 'closed' });
  expect(data).toEqual({ csv: 'id,state\n7,closed\n8,Zoë\n' });
  expect(text).toBe('# Issues\n\n```csv\nid,state\n7,closed\n8,Zoë\n```');
});

test('a rejected write has the service’s reason after the contract’s text [M32]', async () => {
  const { call, tracker } = await connected();
  expect((await call('create_issue', { title: 'New' })).data).toEqual({ id: 131 });
  expect(tracker.requests.at(-1)?.headers['idempotency-key']).toMatch(/^[\w-]{36}$/);
  const { text, result } = await call('create_issue', { title: 'Issue 7' });
  expect(result.isError).toBe(true);
  expect(text).toBe(
    'Error: API request failed with status 422\nThe service says: title: is \\*taken\\*',
  );
});

test('a file is uploaded unchanged', async () => {
  const { call } = await connected();
  const args = { issue_id: 7, name: 'a.log', content: ' first\n\tlast\n' };
  expect((await call('attach_file', args)).data).toEqual({ name: 'a.log', bytes: 13 });
});

test('an image is returned by a tool, a resource and a prompt; anything else is an error', async () => {
  const { client, call } = await connected();
  const picture = { type: 'image', mimeType: 'image/png', data: png.toString('base64') };
  const { result } = await call('get_screenshot', { issue_id: 7 });
  expect(result.content).toEqual([{ type: 'text', text: 'The screenshot of issue 7.' }, picture]);
  expect((await call('get_screenshot', { issue_id: 8 })).text).toBe(
    'Error: Unexpected error occurred: UpstreamResponseError',
  );
  const uri = 'tracker://screenshots/7';
  expect((await client.readResource({ uri })).contents).toEqual([
    { uri, mimeType: 'image/png', blob: picture.data },
  ]);
  const discuss = { name: 'discuss_issue', arguments: { issue: '7' } };
  expect((await client.getPrompt(discuss)).messages).toEqual([
    {
      role: 'user',
      content: { type: 'text', text: 'Issue 7 is called "Issue 7". What is to be done?' },
    },
    { role: 'user', content: picture },
  ]);
  const missing = client.getPrompt({ name: 'discuss_issue', arguments: { issue: '99' } });
  await expect(missing).rejects.toThrow('Resource not found');
});

test('a token is fetched, and fetched again after it expires; a rejected secret is reported [M31]', async () => {
  const { call, tracker } = await connected();
  await call('list_issues');
  tracker.revoke();
  expect((await call('list_issues')).data).toMatchObject({ total: 130 });
  const tokens = tracker.requests.filter(({ url }) => url === '/oauth/token');
  expect(tokens).toHaveLength(2);
  const other = await connected({ secret: 'another' });
  expect((await other.call('list_issues')).text).toBe('Error: Invalid API authentication');
});

test('a wait is reported as progress and in the log [M21 M22]', async () => {
  const { client, tracker, logged } = await connected();
  tracker.refuse(1);
  const messages: (string | undefined)[] = [];
  const { structuredContent } = await client.callTool({ name: 'tracker_list_issues' }, undefined, {
    onprogress: ({ message }) => messages.push(message),
  });
  expect(structuredContent).toMatchObject({ total: 130 });
  const message = /^The service answered with status 429: waiting 0\.\d s$/;
  expect(messages).toEqual([expect.stringMatching(message)]);
  const lines = logged.map((line) => JSON.parse(line) as { level: string; msg: string });
  expect(lines.filter(({ msg }) => message.test(msg))).toMatchObject([{ level: 'info' }]);
});

test('a hook records each change and nothing else, and rejects destructive calls without a user', async () => {
  const file = path.join(copy, 'around.ts');
  const { auditWith } = (await import(pathToFileURL(file).href)) as {
    auditWith: (record: (entry: object) => Promise<void>, isOpen: () => boolean) => Around;
  };
  const recorded: object[] = [];
  let isOpen = true;
  const around = auditWith(
    (entry) => Promise.resolve(void recorded.push(entry)),
    () => isOpen,
  );
  const { call, tracker } = await connected({
    around: ({ tool, ...given }, next) =>
      // No tool of the recipes is destructive, so this one is declared to be.
      around({ ...given, tool: { ...tool, annotations: destroying(tool.annotations) } }, next),
  });
  await call('list_issues');
  const { result } = await call('create_issue', { title: 'New' });
  const entry = { tool: 'tracker_create_issue', caller: 'local', status: 'ok' };
  expect(recorded).toEqual([{ ...entry, callId: result._meta?.['callId'] }]);
  isOpen = false;
  expect((await call('create_issue', { title: 'New' })).text).toContain('outside office hours');
  expect((await call('list_issues')).result.isError).toBeUndefined();
  const created = tracker.requests.filter(
    ({ method, url }) => method === 'POST' && url === '/issues',
  );
  expect(created).toHaveLength(1);
  expect(recorded).toHaveLength(1);
});

type Around = NonNullable<ServiceDefinition['around']>;

function destroying<Hints extends { readonly readOnlyHint: boolean }>(hints: Hints) {
  return { ...hints, destructiveHint: !hints.readOnlyHint };
}
