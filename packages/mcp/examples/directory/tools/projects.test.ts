import { afterEach, beforeEach, expect, test } from 'vitest';
import { againstUpstream, startExample, type ExampleDouble } from '../test/directory-double.ts';
import { bytes, json, startUpstreamDouble } from '@gatehouse/mcp/testing/upstream-double';
import type { ElicitReply } from '@gatehouse/mcp';

let real: ExampleDouble;

beforeEach(async () => {
  real = await startExample();
});
afterEach(() => real.close());

const create = (args: Record<string, unknown>) => real.call('example_create_project', args);
const list = (args: Record<string, unknown> = {}) => real.call('example_list_projects', args);

function remove(project_id: string, reply?: ElicitReply<unknown>) {
  const options = reply === undefined ? {} : { onElicit: () => reply };
  return real.call('example_delete_project', { project_id }, options);
}

test('creates a project with the contract’s three fields [M10 M12]', async () => {
  const tags = ['maps', 'north sea'];
  const { text, structured } = await create({ name: ' Atlas ', estimate_days: 30, tags });
  expect(structured).toEqual({
    id: 'prj_1',
    name: 'Atlas',
    estimate_days: 30,
    tags,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
  });
  expect(text).toMatch(
    /^# Created Atlas \(prj_1\)\n\n- \*\*Created\*\*: \d+ \w+ \d{4}, \d\d:\d\d UTC\n- \*\*Estimate\*\*: 30 days\n- \*\*Tags\*\*: maps, north sea$/,
  );
});

test('the tool and its service count a name alike, composed or not, and keep it as typed [M10 M34]', async () => {
  for (const [index, letter] of ['\u00e9', 'e\u0301', '\u{1f600}'].entries()) {
    // Each name is another once its accents are dropped, as the service compares them.
    const name = `${letter.repeat(99)}${index}`;
    const tags = [letter.repeat(50)];
    const { structured } = await create({ name: ` ${name} `, tags });
    expect(structured).toMatchObject({ name, tags });
    const tooLong = await create({ name: `${name}x` });
    expect(tooLong.text).toContain('name: Too big');
  }
});

test('a success that is a word or a page means success too [M32]', async () => {
  const upstream = await startUpstreamDouble();
  const double = await againstUpstream(upstream.url);
  for (const body of ['Created', '<html><body>Created</body></html>']) {
    upstream.reply(bytes(body, 201));
    const { text } = await double.call('example_create_project', { name: 'Atlas' });
    expect(text).toBe(
      'Error: The service answered with success and without JSON. A write of this call has succeeded: look at what it changed before you call again.',
    );
  }
  // A read has changed nothing.
  upstream.reply(bytes('Found'));
  const { text } = await double.call('example_list_projects');
  expect(text).toBe('Error: Unexpected error occurred: UpstreamResponseError');
  await double.close();
  await upstream.close();
});

test.each([200, 201, 202, 204])(
  'an empty %i response means success, and the text advises against repeating the call [M32]',
  async (status) => {
    const upstream = await startUpstreamDouble();
    const double = await againstUpstream(upstream.url);
    upstream.reply(bytes('', status));
    const { text, isError } = await double.call('example_create_project', { name: 'Atlas' });
    expect(isError).toBe(true);
    expect(text).toBe(
      'Error: The service answered with success and without content. A write of this call has succeeded: look at what it changed before you call again.',
    );
    expect(upstream.requests).toHaveLength(1);

    const stored = json({ id: 'prj_1', name: 'Atlas', tags: [], created_at: '2026-11-21' });
    upstream.reply(stored, bytes('', status));
    const onElicit = () => ({ action: 'accept', value: true }) as const;
    const removed = await double.call(
      'example_delete_project',
      { project_id: 'prj_1' },
      { onElicit },
    );
    expect(removed.structured).toEqual({ id: 'prj_1', name: 'Atlas', deleted: true });
    await double.close();
    await upstream.close();
  },
);

test('the number is optional, and tags default to an empty list [M10]', async () => {
  const { structured } = await create({ name: 'x' });
  expect(structured).toMatchObject({ name: 'x', tags: [] });
  expect(structured).not.toHaveProperty('estimate_days');
});

test.each([
  { name: 'x'.repeat(100) },
  { name: 'x', estimate_days: 0 },
  { name: 'x', estimate_days: 1_000 },
  { name: 'x', tags: Array.from({ length: 10 }, (_, index) => `tag ${index}`) },
])('accepts values at the limits (%#) [M10 M34]', async (args) => {
  expect((await create(args)).isError).toBe(false);
});

test.each([
  [{}, 'name'],
  [{ name: '' }, 'name'],
  [{ name: '   ' }, 'name'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ name: 'x', estimate_days: -1 }, 'estimate_days'],
  [{ name: 'x', estimate_days: 1_001 }, 'estimate_days'],
  [{ name: 'x', estimate_days: 1.5 }, 'estimate_days'],
  [{ name: 'x', estimate_days: null }, 'estimate_days'],
  [{ name: 'x', tags: Array.from({ length: 11 }, String) }, 'tags'],
  [{ name: 'x', tags: [1] }, 'tags.0'],
  [{ name: 'x', tags: 'maps' }, 'tags'],
  [{ name: 'x', owner: 'me' }, 'owner'],
])(
  'rejects values beyond the limits, and creates nothing (%#) [M09 M10 M34]',
  async (args, field) => {
    const { text, isError } = await create(args);
    expect(isError).toBe(true);
    expect(text).toContain(field);
    expect((await list()).structured).toMatchObject({ total: 0 });
  },
);

test('a duplicate name is a conflict of the service [M32]', async () => {
  await create({ name: 'Atlas' });
  const text = 'Error: API request failed with status 409';
  expect(await create({ name: 'ATLAS' })).toMatchObject({ text, isError: true });
});

test('each call has its own key, shared only by its own attempts', async () => {
  const upstream = await startUpstreamDouble();
  const double = await againstUpstream(upstream.url);
  const made = { id: 'prj_1', name: 'x', created_at: '2026-11-21T13:30:00Z' };
  upstream.reply(json({}, 503, { 'retry-after': '0' }), json(made, 201));
  await double.call('example_create_project', { name: 'x' });
  await double.call('example_create_project', { name: 'x' });
  const keys = upstream.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(3);
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
  expect([keys[1] === keys[0], keys[2] === keys[0]]).toEqual([true, false]);
  await double.close();
  await upstream.close();
});

test('lists page by page, oldest first [M15]', async () => {
  expect((await list()).text).toBe('There are no projects.');
  for (const name of ['A', 'B', 'C']) await create({ name });
  const { text, structured } = await list({ limit: 2 });
  expect(structured).toMatchObject({
    total: 3,
    count: 2,
    projects: [{ name: 'A' }, { name: 'B' }],
    next_offset: 2,
  });
  expect(text).toMatch(/^# Projects\n\nFound 3 projects \(showing 2\)\n\n## A \(prj_1\)\n- /);
  expect((await list({ offset: 2 })).structured).toMatchObject({ count: 1, next_offset: null });
});

test('finds projects by part of a name or tag, page by page [M15]', async () => {
  await create({ name: 'Atlas', tags: ['maps', 'Nordsee'] });
  await create({ name: 'Beacon', tags: ['north sea'] });
  await create({ name: 'Seaside' });
  const named = async (query: string, offset = 0) => {
    const { structured } = await list({ query, limit: 2, offset });
    const { projects, total } = structured as { projects: { name: string }[]; total: number };
    return [total, ...projects.map(({ name }) => name)];
  };
  expect(await named(' ATL ')).toEqual([1, 'Atlas']);
  expect(await named('map')).toEqual([1, 'Atlas']);
  expect(await named('sea')).toEqual([2, 'Beacon', 'Seaside']);
  expect(await named('a', 2)).toEqual([3, 'Seaside']);
  expect((await list({ query: 'sea' })).text).toMatch(/^# Projects: sea\n\nFound 2 projects/);
  expect(await list({ query: 'zzz' })).toMatchObject({
    text: "No projects found matching 'zzz'",
    structured: { total: 0, projects: [] },
    isError: false,
  });
});

test('deletes a project whose name the user confirmed [M23]', async () => {
  await create({ name: 'Atlas' });
  const { text, structured, recorded } = await remove('prj_1', { action: 'accept', value: true });
  expect(recorded.elicited).toEqual([['Delete the project Atlas (prj_1) for good?', 'boolean']]);
  expect(structured).toEqual({ id: 'prj_1', name: 'Atlas', deleted: true });
  expect(text).toBe('# Deleted Atlas (prj_1)');
  expect((await list()).structured).toMatchObject({ total: 0 });
});

const refusals: ElicitReply<unknown>[] = [
  { action: 'accept', value: false },
  { action: 'decline' },
  { action: 'cancel' },
];

test.each(refusals)('deletes nothing after %j, and states so [M23]', async (reply) => {
  await create({ name: 'Atlas' });
  const { text, structured, isError } = await remove('prj_1', reply);
  expect(isError).toBe(false);
  expect(structured).toMatchObject({ deleted: false });
  expect(text).toBe('# Kept Atlas (prj_1)\n\nThe user did not confirm. Nothing was deleted.');
  expect((await list()).structured).toMatchObject({ total: 1 });
});

test('deletes nothing without elicitation [M23 M32]', async () => {
  await create({ name: 'Atlas' });
  expect((await remove('prj_1')).isError).toBe(true);
  expect((await list()).structured).toMatchObject({ total: 1 });
});

test('does not ask about a missing project [M32]', async () => {
  const text = 'Error: Resource not found. Please check the ID is correct.';
  const { recorded, ...result } = await remove('prj_9', { action: 'accept', value: true });
  expect(result).toMatchObject({ text, isError: true });
  expect(recorded.elicited).toEqual([]);
});
