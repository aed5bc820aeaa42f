/** The tracker's tools and resources with a client over HTTP and its API. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { textOf } from '../../../test/doubles/connected-client.ts';
import { connectOverHttp, startServer } from '../../../test/doubles/http-server.ts';
import { startTrackerApi, screenshot, trackerKey } from '../api/tracker-api.ts';
import { createTrackerService } from '../service.ts';

const api = await startTrackerApi();
afterAll(() => api.close());

async function connect() {
  const service = createTrackerService({ baseUrl: api.url, key: trackerKey });
  const { url } = await startServer({ service });
  const { client } = await connectOverHttp(url);
  const call = (name: string, args: Record<string, unknown> = {}) =>
    client.callTool({ name: `tracker_${name}`, arguments: args });
  return { client, call };
}

test('lists by label, across the pages of the API', async () => {
  const { call } = await connect();
  const { structuredContent } = await call('list_issues', {
    labels: ['bug'],
    limit: 60,
    offset: 45,
  });
  expect(structuredContent).toMatchObject({ total: 120, count: 60, next_offset: 105 });
  expect(textOf(await call('list_issues', { labels: ['bug', 'ui'], limit: 1 }))).toMatch(
    /^# 60 issues\n\n- Issue 119 \(119\), open/,
  );
});

test('opens, reads, comments on and closes an issue; a rejection has its reason', async () => {
  const { call } = await connect();
  const { structuredContent } = await call('create_issue', { title: 'Search finds nothing' });
  const { id } = structuredContent as { id: number };
  expect(textOf(await call('create_issue', { title: 'Search finds nothing' }))).toMatch(
    /^Error: API request failed with status 422\n.*The title is taken\./,
  );
  expect(textOf(await call('add_comment', { issue_id: id, text: 'Seen.' }))).toContain('zoë');
  await call('close_issue', { issue_id: id });
  expect((await call('get_issue', { issue_id: id })).structuredContent).toMatchObject({
    state: 'closed',
  });
  expect(textOf(await call('close_issue', { issue_id: id }))).toMatch(/status 422\n.*already/);
});

test('a file is uploaded unchanged', async () => {
  const { call } = await connect();
  const content = '  two blanks\n\tand a tab\n';
  const { structuredContent } = await call('attach_file', { issue_id: 7, name: 'a.log', content });
  expect(structuredContent).toEqual({ name: 'a.log', bytes: content.length });
});

test('CSV is returned unchanged, and a slow report is awaited with progress', async () => {
  const { call, client } = await connect();
  expect(textOf(await call('export_issues', { state: 'closed' }))).toMatch(
    /^# Issues\n\n```csv\nid,title\n/,
  );
  const told: unknown[] = [];
  const params = { name: 'tracker_make_report', arguments: {} };
  const result = await client.callTool(params, undefined, {
    onprogress: ({ message }) => told.push(message),
  });
  expect(textOf(result)).toMatch(/^\d+ issues are open\.$/);
  expect(told).toEqual(['50 %']);
});

test('resources: an issue, its comments, its screenshot', async () => {
  const { client } = await connect();
  const read = async (uri: string) => (await client.readResource({ uri })).contents[0];
  expect(await read('tracker://issues/7')).toMatchObject({
    text: expect.stringContaining('"Issue 7"') as string,
  });
  expect(await read('tracker://comments/7')).toMatchObject({ text: 'zoë: Seen it.' });
  expect(await read('tracker://screenshots/7')).toMatchObject({
    mimeType: 'image/png',
    blob: screenshot.toString('base64'),
  });
});

test('has eight tools and three resources, and a simple tool has fewer than 30 lines besides its imports', () => {
  const tools = new URL('../tools/', import.meta.url);
  const files = readdirSync(tools);
  expect(files).toHaveLength(8);
  for (const file of ['get-issue.ts', 'create-issue.ts', 'close-issue.ts', 'export-issues.ts']) {
    const [, body = ''] = readFileSync(new URL(file, tools), 'utf8').split(/\n\n(?=export const)/);
    expect([file, body.split('\n').length < 30]).toEqual([file, true]);
  }
});
