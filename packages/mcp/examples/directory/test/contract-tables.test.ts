/** The contract's tables of errors and limits, checked with a real client over each transport. */
import { afterAll, describe, expect, test } from 'vitest';
import { serveOnEach, transports } from '../../../test/programs/served.ts';
import { compiled } from '../../../test/programs/started-program.ts';
import {
  bytes,
  hang,
  json,
  startUpstreamDouble,
  type Reply,
} from '@gatehouse/mcp/testing/upstream-double';

const planted = 'planted-words-of-the-upstream';
const upstream = await startUpstreamDouble();
/** Replies by the search text, so that tests can run concurrently. */
const replies = new Map<string, Reply>();
upstream.reply((response, request) => {
  const { searchParams } = new URL(request.url, upstream.url);
  (replies.get(searchParams.get('q') ?? '') ?? json({}))(response, request);
});
const served = await serveOnEach(
  {
    EXAMPLE_API_BASE_URL: upstream.url,
    EXAMPLE_API_TOKEN: 'a-token-of-the-service',
    EXAMPLE_API_TIMEOUT_MS: '2000',
  },
  compiled('examples/directory/main.js'),
);
afterAll(async () => {
  await served.close();
  await upstream.close();
  // Some output is complete only after the programs have ended.
  for (const transport of transports) {
    expect(served[transport].written()).not.toContain(planted);
  }
});

const errorRows: [condition: string, reply: Reply, text: string][] = [
  ['404', failing(404), 'Error: Resource not found. Please check the ID is correct.'],
  ['403', failing(403), "Error: Permission denied. You don't have access to this resource."],
  ['429', failing(429), 'Error: Rate limit exceeded. Please wait before making more requests.'],
  [
    '429 with a time to wait that is too long',
    failing(429, { 'retry-after': '3600' }),
    'Error: Rate limit exceeded. Please wait before making more requests.',
  ],
  ['401', failing(401), 'Error: Invalid API authentication'],
  ...[300, 301, 302, 303, 304, 307, 308, 400, 402, 405, 409, 410, 418, 422, 451].map(otherStatus),
  ...[500, 501, 502, 503, 504, 599].map(otherStatus),
  [
    'any other exception',
    bytes(planted),
    'Error: Unexpected error occurred: UpstreamResponseError',
  ],
];

function failing(status: number, headers: Record<string, string> = {}): Reply {
  const more = { location: `http://${planted}.test/`, 'x-reason': planted, ...headers };
  return json({ error: planted, users: [], total: 0 }, status, more);
}

function otherStatus(status: number): [string, Reply, string] {
  return [String(status), failing(status), `Error: API request failed with status ${status}`];
}

describe.each(transports)('over %s', (transport) => {
  const search = (args: Record<string, unknown>) =>
    served[transport].call('example_search_users', args);

  test.for(errorRows)(
    'upstream %s returns the text in its row [M32 M33]',
    async ([name, reply, text]) => {
      replies.set(name, reply);
      const results = ['markdown', 'json'].map((response_format) =>
        search({ query: name, response_format }),
      );
      const result = { content: [{ type: 'text', text }], isError: true };
      expect(await Promise.all(results)).toEqual([result, result]);
      // No text of the upstream reached the client or the log.
      const { written } = served[transport];
      await expect.poll(() => written()).toContain(text);
      expect(written()).not.toContain(planted);
    },
  );

  test('a search without matches states so, and is not an error [M16 M32]', async () => {
    const { content, isError, structuredContent } = await search({ query: "  O'Neil <b>  " });
    expect(content).toEqual([{ type: 'text', text: "No users found matching 'O'Neil <b>'" }]);
    expect(isError).toBeUndefined();
    expect(structuredContent).toMatchObject({ total: 0, count: 0, offset: 0, users: [] });
  });

  test('limit defaults to 20 and offset to 0 [M14 M34]', async () => {
    const query = `defaults over ${transport}`;
    await search({ query });
    const queries = upstream.requests.map(({ url }) => new URL(url, upstream.url).searchParams);
    const own = queries.filter((params) => params.get('q') === query);
    expect(own.map((params) => [params.get('limit'), params.get('offset')])).toEqual([['20', '0']]);
  });

  test.for([
    { query: 'xy' },
    { query: 'x'.repeat(200) },
    { query: `  ${'x'.repeat(200)}\t` },
    { query: 'xy', limit: 1 },
    { query: 'xy', limit: 100 },
    { query: 'xy', offset: 0 },
    { query: 'xy', offset: Number.MAX_SAFE_INTEGER },
  ])('%j is within the limits [M14 M16 M34]', async (args) => {
    expect((await search(args)).isError).toBeUndefined();
  });

  test.for<[Record<string, unknown>, string]>([
    [{}, 'query: Required'],
    [{ query: 'x' }, 'query: Too small: expected string to have >=2 characters'],
    [{ query: ' \t\n ' }, 'query: Too small: expected string to have >=2 characters'],
    [{ query: ' x ' }, 'query: Too small: expected string to have >=2 characters'],
    [{ query: 'x'.repeat(201) }, 'query: Too big: expected string to have <=200 characters'],
    [{ query: 'xy', limit: 0 }, 'limit: Too small: expected number to be >=1'],
    [{ query: 'xy', limit: 101 }, 'limit: Too big: expected number to be <=100'],
    [{ query: 'xy', limit: 1.5 }, 'limit: Invalid input: expected a whole number'],
    [{ query: 'xy', offset: -1 }, 'offset: Too small: expected number to be >=0'],
  ])('%j is rejected before a request is sent [M09 M14 M16 M32 M34]', async ([args, problem]) => {
    const before = upstream.requests.length;
    expect(await search(args)).toEqual({
      content: [{ type: 'text', text: `Error: Invalid arguments.\n- ${problem}` }],
      isError: true,
    });
    expect(upstream.requests).toHaveLength(before);
  });

  test.for<[Record<string, unknown>, string | undefined]>([
    [{ name: 'x' }, undefined],
    [{ name: ' ' }, 'name: Too small: expected string to have >=1 characters'],
    [{ name: 'x'.repeat(101) }, 'name: Too big: expected string to have <=100 characters'],
    [{ name: 'x'.repeat(100), estimate_days: 0, tags: tags(10) }, undefined],
    [{ name: 'x', estimate_days: 1000 }, undefined],
    [{ name: 'x', estimate_days: 1001 }, 'estimate_days: Too big: expected number to be <=1000'],
    [{ name: 'x', estimate_days: -1 }, 'estimate_days: Too small: expected number to be >=0'],
    [{ name: 'x', tags: tags(11) }, 'tags: Too big: expected array to have <=10 items'],
  ])('of the contract’s example, %j: %s [M10 M34]', async ([args, problem]) => {
    const { content } = await served[transport].call('example_create_project', args);
    // Accepted arguments reach the upstream, whose response here is not a project.
    const text =
      problem === undefined
        ? 'Error: The service answered with success and without a readable body. A write of this call has succeeded: look at what it changed before you call again.'
        : `Error: Invalid arguments.\n- ${problem}`;
    expect(content).toEqual([{ type: 'text', text }]);
  });
});

test('an upstream that does not respond in time returns the timeout’s text, over each transport [M18 M32 M33 M34]', async () => {
  replies.set('timeout', hang);
  const results = transports.map((transport) =>
    served[transport].call('example_search_users', { query: 'timeout' }),
  );
  const text = 'Error: Request timed out. Please try again.';
  for (const result of await Promise.all(results)) {
    expect(result).toEqual({ content: [{ type: 'text', text }], isError: true });
  }
});

function tags(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `tag ${index}`);
}
