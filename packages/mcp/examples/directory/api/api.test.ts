import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { startExampleService, type ExampleServiceOptions } from './api.ts';

const token = 'test-token';
const service = await startExampleService({ token, slowMs: 10, exportStepMs: 2 });
afterAll(() => service.close());

type Sent = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

interface ReceivedResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

async function sendRequest(
  path: string,
  init: Sent = {},
  url = service.url,
): Promise<ReceivedResponse> {
  const headers = { authorization: `Bearer ${token}`, ...init.headers };
  const response = await fetch(url + path, { ...init, headers });
  const text = await response.text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
}

function send(method: string, body: unknown, headers: Record<string, string> = {}): Sent {
  return { method, body: JSON.stringify(body), headers };
}

async function another<Value>(
  options: Partial<ExampleServiceOptions>,
  work: (url: string) => Promise<Value>,
): Promise<Value> {
  const started = await startExampleService({ token, ...options });
  try {
    return await work(started.url);
  } finally {
    await started.close();
  }
}

test('a search returns a page of people, with or without a team, and the total', async () => {
  const everybody = await sendRequest('/users/search?q=example.com&limit=100&offset=100');
  const { users, total } = everybody.body as { users: { team?: string }[]; total: number };
  expect([users.length, total]).toEqual([100, 4_000]);
  expect(users.some(({ team }) => team === undefined)).toBe(true);
  expect(users.some(({ team }) => team !== undefined)).toBe(true);
});

test('the directory is the same on every start', async () => {
  const here = await sendRequest('/users/search?q=security&limit=100');
  const there = await another({}, (url) =>
    sendRequest('/users/search?q=security&limit=100', {}, url),
  );
  expect(there.body).toEqual(here.body);
});

test('a search ignores accents', async () => {
  const [without, accented] = await Promise.all(
    ['muller', 'MÜLLER'].map((name) => sendRequest(`/users/search?q=${encodeURIComponent(name)}`)),
  );
  expect(without?.body).toEqual(accented?.body);
  expect(without?.body).not.toMatchObject({ total: 0 });
});

test.each(['', 'Bearer wrong', 'Bearer personal-usr_9999', 'Basic dGVzdA=='])(
  'a request without a valid token is rejected: %j',
  async (authorization) => {
    expect(await sendRequest('/users/usr_0001', { headers: { authorization } })).toMatchObject({
      status: 401,
    });
  },
);

test('a personal token acts as its person', async () => {
  const headers = { authorization: 'Bearer personal-usr_0042' };
  expect((await sendRequest('/me', { headers })).body).toMatchObject({ id: 'usr_0042' });
  expect((await sendRequest('/me')).body).toMatchObject({ id: 'svc_reader' });
});

test.each([
  ['/users/usr_0001', 200],
  ['/users/usr_0097', 403],
  ['/users/usr_9999', 404],
  ['/users/usr_0001/teams', 200],
  ['/documents/handbook.md', 200],
  ['/documents/r%C3%A9sum%C3%A9-guide.md', 200],
  ['/documents/salaries.csv', 403],
  ['/documents/..%2f..%2fetc%2fpasswd', 404],
  ['/settings/locale', 200],
  ['/settings/none', 404],
  ['/settings/__proto__', 404],
  ['/users/search?limit=0', 422],
  ['/users/fault-503', 503],
  ['/users/search?q=fault-500', 500],
  ['/users/%ff', 400],
  ['/nothing', 404],
  ['/', 404],
  ['/users/a/b/c', 404],
])('GET %s is %i', async (path, status) => {
  expect((await sendRequest(path)).status).toBe(status);
});

test('an unsupported method is a 405', async () => {
  expect((await sendRequest('/users/usr_0001', { method: 'DELETE' })).status).toBe(405);
});

test('faults can be requested by a header, including slow responses; a 429 has Retry-After', async () => {
  const fault = (name: string) =>
    sendRequest('/me', { headers: { 'x-example-fault': `fault-${name}` } });
  expect((await fault('418')).status).toBe(418);
  expect((await fault('slow')).status).toBe(200);
  const limited = await fault('429');
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1']);
});

test('a token with too many requests must wait', async () => {
  const statuses = await another({ requestsPerSecond: 2 }, async (url) => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => sendRequest('/me', {}, url)),
    );
    return responses.map(({ status }) => status);
  });
  // Eight requests can span two windows.
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(4);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
});

test('a project is created once for each key, its name is unique, and it can be deleted once', async () => {
  const made = await sendRequest(
    '/projects',
    send('POST', { name: ' Atlas ' }, { 'idempotency-key': 'k' }),
  );
  expect(made).toMatchObject({ status: 201, body: { id: 'prj_1', name: 'Atlas', tags: [] } });
  const again = await sendRequest(
    '/projects',
    send('POST', { name: 'Atlas' }, { 'idempotency-key': 'k' }),
  );
  expect(again).toMatchObject({ status: 201, body: made.body });
  expect((await sendRequest('/projects', send('POST', { name: 'atlas' }))).status).toBe(409);
  expect((await sendRequest('/projects')).body).toMatchObject({ total: 1, projects: [made.body] });
  expect((await sendRequest('/projects?q=ATL')).body).toMatchObject({
    total: 1,
    projects: [made.body],
  });
  expect((await sendRequest('/projects?q=other')).body).toMatchObject({ total: 0, projects: [] });
  expect((await sendRequest('/projects/prj_1', { method: 'DELETE' })).status).toBe(204);
  expect((await sendRequest('/projects/prj_1', { method: 'DELETE' })).status).toBe(404);
});

test.each([
  [{}, 422],
  [{ name: 'x'.repeat(101) }, 422],
  [{ name: 'x', estimate_days: 1_001 }, 422],
  [{ name: 'x', tags: Array.from({ length: 11 }, String) }, 422],
  [{ name: 'x', unknown: true }, 422],
  ['x'.repeat(70_000), 413],
])('an invalid project is rejected (%#)', async (body, status) => {
  expect((await sendRequest('/projects', send('POST', body))).status).toBe(status);
});

test('a body that is not JSON is rejected', async () => {
  expect((await sendRequest('/projects', { method: 'POST', body: '{' })).status).toBe(400);
});

test('an export runs in the background and ends as a document', async () => {
  const started = await sendRequest(
    '/exports',
    send('POST', { team_id: 'team_search', fields: ['id', 'name'] }),
  );
  expect(started).toMatchObject({ status: 202, body: { status: 'running', done: 0 } });
  const { id } = started.body as { id: string };
  const seen: number[] = [];
  let job: { status: string; done: number; total: number; document?: string };
  do {
    job = (await sendRequest(`/exports/${id}`)).body as typeof job;
    seen.push(job.done);
  } while (job.status === 'running');
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(job).toMatchObject({ status: 'finished', done: job.total });
  const { body } = await sendRequest(`/documents/${job.document ?? ''}`);
  const lines = (body as { text: string }).text.trimEnd().split('\n');
  expect(lines[0]).toBe('id,name');
  expect(lines).toHaveLength(job.total + 1);
});

test('a cancelled export stays cancelled', async () => {
  const { body } = await sendRequest('/exports', send('POST', { fields: ['id'] }));
  const { id } = body as { id: string };
  expect((await sendRequest(`/exports/${id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await sendRequest(`/exports/${id}`)).body).toMatchObject({ status: 'cancelled' });
});

test('it listens on loopback only, and handles clients that disconnect', async () => {
  expect(new URL(service.url).hostname).toBe('127.0.0.1');
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `POST /projects HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-length: 9\r\n\r\n{`,
    () => socket.resetAndDestroy(),
  );
  await once(socket, 'close');
  expect((await sendRequest('/me')).status).toBe(200);
});
