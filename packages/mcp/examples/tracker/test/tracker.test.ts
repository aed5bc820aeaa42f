/** The tracker's tools and resources with its API, and with clients of both eras over both transports. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { textOf } from '../../../test/doubles/connected-client.ts';
import { startTrackerApi, screenshot, trackerKey } from '../api/tracker-api.ts';
import service from '../service.ts';
import { connections } from './connections.ts';

const api = await startTrackerApi();
afterAll(() => api.close());

describe.each(connections)('over %s', (name, connectTo) => {
  const settings = { TRACKER_API_BASE_URL: api.url, TRACKER_API_KEY: trackerKey };
  const connect = () => connectTo(service.createService(settings));

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
    const title = `Search finds nothing over ${name}`;
    const { structuredContent } = await call('create_issue', { title });
    const { id } = structuredContent as { id: number };
    expect(textOf(await call('create_issue', { title }))).toMatch(
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
    const { structuredContent } = await call('attach_file', {
      issue_id: 7,
      name: 'a.log',
      content,
    });
    expect(structuredContent).toEqual({ name: 'a.log', bytes: content.length });
  });

  test('CSV is returned unchanged, and a slow report is awaited with progress', async () => {
    const { call } = await connect();
    expect(textOf(await call('export_issues', { state: 'closed' }))).toMatch(
      /^# Issues\n\n```csv\nid,title\n/,
    );
    const reported: unknown[] = [];
    const result = await call('make_report', {}, ({ message }) => reported.push(message));
    expect(textOf(result)).toMatch(/^\d+ issues are open\.$/);
    expect(reported).toEqual(['50 %']);
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
});

test('has eight tools and three resources, and none has more than 40 lines', () => {
  const tools = new URL('../tools/', import.meta.url);
  const files = readdirSync(tools);
  expect(files).toHaveLength(8);
  const long = files.filter(
    (file) => readFileSync(new URL(file, tools), 'utf8').trimEnd().split('\n').length > 40,
  );
  expect(long).toEqual([]);
});
