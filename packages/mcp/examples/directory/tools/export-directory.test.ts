import { afterAll, expect, test, vi } from 'vitest';
import { againstUpstream, startExample } from '../test/directory-double.ts';
import { json, startUpstreamDouble, type Reply } from '@gatehouse/mcp/testing/upstream-double';

const real = await startExample();
const upstream = await startUpstreamDouble();
const double = await againstUpstream(upstream.url);
afterAll(async () => {
  await real.close();
  await double.close();
  await upstream.close();
});

interface User {
  id: string;
  team?: string;
}

const running = { id: 'exp_1', status: 'running', done: 5, total: 10, poll_after_ms: 1 };

/** Sends the configured reply for each endpoint, and a 404 for others. */
function replyBy(replies: Record<string, Reply>) {
  upstream.reply((response, request) => {
    const reply = replies[`${request.method} ${request.url}`] ?? json({}, 404);
    reply(response, request);
  });
}

const requested = () => upstream.requests.map(({ method, url }) => `${method} ${url}`);

test('exports one team by its name, with progress, to a readable document [M03 M19 M21]', async () => {
  const { text, structured, recorded } = await real.call('example_export_directory', {
    team: 'data platform',
  });
  const { people, uri } = structured as { people: number; uri: string };
  expect(text.split('\n').slice(2, 5)).toEqual([
    `- **People**: ${people}`,
    '- **Fields**: id, name, email, team',
    `- **Resource**: ${uri}`,
  ]);
  const [contents] = await real.context().readResource(uri);
  const [header, ...rows] = contents?.text?.trimEnd().split('\n') ?? [];
  expect([header, rows.length]).toEqual(['id,name,email,team', people]);
  expect(people).toBeGreaterThan(50);

  // Tells a model that cannot read resources what to do instead.
  expect(text).toMatch(/the user can open it.+ example_search_users\.$/);

  const steps = recorded.progress.map(([done]) => done);
  expect(steps.length).toBeGreaterThan(1);
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  expect(recorded.progress[0]).toEqual([0, `0 of ${people} people`, people]);
  expect(recorded.logs.map(([level, message]) => [level, message])).toEqual([
    ['info', 'Export started'],
    ['info', 'Export finished'],
  ]);
});

test('a team has the same people in a search and an export, and each is shown with all their teams [M03]', async () => {
  const members = new Map<string, string>();
  for (let offset: number | null = 0; offset !== null;) {
    const args = { query: 'billing', limit: 100, offset };
    const { structured } = await real.call('example_search_users', args);
    const page = structured as { users: User[]; next_offset: number | null };
    for (const { id, team = '' } of page.users) members.set(id, team);
    offset = page.next_offset;
  }
  const { structured } = await real.call('example_export_directory', { team: 'Billing' });
  const { uri } = structured as { uri: string };
  const [contents] = await real.context().readResource(uri);
  const [, ...rows] = contents?.text?.trimEnd().split('\n') ?? [];
  // Restricted people, one in 97, are found by a search but not exported.
  const readable = [...members.keys()].filter((id) => Number(id.slice(4)) % 97 !== 0);
  expect(rows.map((row) => row.slice(0, 8))).toEqual(readable);

  expect(members.get('usr_0010')).toBe('Web, Billing');
  expect(rows.filter((row) => row.startsWith('usr_0010'))).toEqual([
    expect.stringMatching(/,"Web, Billing"$/) as string,
  ]);
  for (const [id, team] of members) expect(team.split(', '), id).toContain('Billing');
});

test('a person is found by any of their teams, combined with words of the name', async () => {
  for (const query of ['wei diaz billing', 'wei diaz web']) {
    const { structured } = await real.call('example_search_users', { query });
    const { users } = structured as { users: User[] };
    expect(users.map(({ id }) => id)).toContain('usr_0010');
  }
  const { structured } = await real.call('example_get_user_profile', { user_id: 'usr_0010' });
  expect(structured).toMatchObject({ teams: [{ name: 'Web' }, { name: 'Billing' }] });
});

test('exports everyone who is readable without a team', async () => {
  const { structured } = await real.call('example_export_directory');
  expect(structured).toMatchObject({ people: 4_000 - Math.floor(4_000 / 97) });
});

test('accepts a team by its ID', async () => {
  replyBy({
    'GET /teams': json({ teams: [{ id: 'team_7', name: 'Billing' }] }),
    'POST /exports': json({ ...running, status: 'finished', document: 'b.csv' }, 202),
  });
  await double.call('example_export_directory', { team: 'TEAM_7' });
  const sent: unknown = JSON.parse(upstream.requests.at(-1)?.body ?? '');
  expect(sent).toMatchObject({ team_id: 'team_7' });
});

test('an unknown team is an error that lists the known ones [M33]', async () => {
  const team = 'Alchemy\nand *more*';
  const { text, isError, recorded } = await real.call('example_export_directory', { team });
  expect(isError).toBe(true);
  expect(text).toMatch(
    /^Error: There is no team Alchemy and \*more\*\. Teams: Accessibility, .+\.$/,
  );
  expect(recorded.progress).toEqual([]);
});

test('the company’s setting selects the exported fields, and by default there are few [M20 M25]', async () => {
  const finished = json({ ...running, status: 'finished', document: 'a b.csv' }, 202);
  replyBy({ 'POST /exports': finished });
  const { structured } = await double.call('example_export_directory');
  expect(JSON.parse(upstream.requests.at(-1)?.body ?? '')).toEqual({ fields: ['id', 'name'] });
  expect(structured).toMatchObject({ uri: 'file://documents/a%20b.csv' });

  replyBy({ 'GET /settings/export': json({ fields: ['email'] }), 'POST /exports': finished });
  await double.call('example_export_directory');
  expect(JSON.parse(upstream.requests.at(-1)?.body ?? '')).toEqual({ fields: ['email'] });
});

test('cancelling the call also cancels the upstream’s job [M21]', async () => {
  const leaving = new AbortController();
  const reason = new Error('gone');
  replyBy({
    'POST /exports': json(running, 202),
    'GET /exports/exp_1': json(running),
    'DELETE /exports/exp_1': json({}),
  });
  const onProgress = () => {
    // The second time, when the job is being polled.
    if (requested().includes('GET /exports/exp_1')) leaving.abort(reason);
  };
  const call = double.call('example_export_directory', {}, { signal: leaving.signal, onProgress });
  await expect(call).rejects.toBe(reason);
  expect(requested().at(-1)).toBe('DELETE /exports/exp_1');
});

test('a failed poll cancels the upstream’s job and is the result’s error [M32]', async () => {
  replyBy({ 'POST /exports': json(running, 202), 'GET /exports/exp_1': json({}, 500) });
  const { text, recorded } = await double.call('example_export_directory');
  expect(text).toBe(
    'Error: API request failed with status 500\nA write of this call has succeeded: look at what it changed before you call again.',
  );
  expect(requested().at(-1)).toBe('DELETE /exports/exp_1');
  // The cancellation failed too (404), and was logged.
  expect(recorded.logs.at(-1)).toEqual(['error', 'Export could not be cancelled', { id: 'exp_1' }]);
});

test('an endless export is abandoned and cancelled after ten minutes [M32]', async () => {
  replyBy({
    'POST /exports': json(running, 202),
    'GET /exports/exp_1': json(running),
    'DELETE /exports/exp_1': json({}),
  });
  const realNow = performance.now.bind(performance);
  let passed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + passed);
  const onProgress = () => {
    // The second time, when the job has been polled once.
    if (requested().includes('GET /exports/exp_1')) passed = 10 * 60_000;
  };
  const { text } = await double.call('example_export_directory', {}, { onProgress });
  expect(text).toMatch(/^Error: Request timed out\. Please try again\.\nA write of this call /);
  expect(requested().at(-1)).toBe('DELETE /exports/exp_1');
});

test('an export that was cancelled elsewhere is reported as such', async () => {
  replyBy({
    'POST /exports': json(running, 202),
    'GET /exports/exp_1': json({ ...running, status: 'cancelled' }),
  });
  const { text, isError } = await double.call('example_export_directory');
  expect(text).toMatch(
    /^Error: The export was cancelled by somebody else\.\nA write of this call /,
  );
  expect(isError).toBe(true);
});
