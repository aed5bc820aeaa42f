import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { againstUpstream, startExample, type ExampleDouble } from '../test/directory-double.ts';
import type { ElicitReply } from '@gatehouse/mcp';
import {
  hang,
  json,
  startUpstreamDouble,
  type Reply,
} from '@gatehouse/mcp/testing/upstream-double';

let real: ExampleDouble;

beforeEach(async () => {
  real = await startExample();
});
afterEach(() => real.close());

/**
 * Connects with a secret from the user. The page belongs to the adapter, so the secret is received here as it does.
 */
function connect(secret: string, caller = 'ann', response_format = 'markdown') {
  const value = real.state.credentials.receive({ id: caller }, secret);
  const onElicit = () => ({ action: 'accept', value }) as const;
  return real.call('example_connect_account', { response_format }, { caller, onElicit });
}

const authorization = (caller: string) => real.state.credentials.of({ id: caller });

test('asks for a password, and reports the account without the secret [M30]', async () => {
  const { recorded, ...result } = await connect('personal-usr_0042');
  expect(recorded.elicited).toEqual([['Your personal API token of the directory', 'password']]);
  expect(result.structured).toMatchObject({ connected: true, account: { id: 'usr_0042' } });
  expect(result.text).toMatch(/^# Connected as .+ \(usr_0042\)$/);
  expect(JSON.stringify([result, recorded])).not.toContain('personal-');
});

test('the account belongs to that caller only [M30 M31]', async () => {
  await connect('personal-usr_0042');
  expect([authorization('ann'), authorization('bob')]).toEqual([
    'Bearer personal-usr_0042',
    'Bearer test-token',
  ]);
});

test('a secret that the service rejects is not kept, and the previous account stays [M30 M32]', async () => {
  const refused = { text: 'Error: Invalid API authentication', isError: true };
  expect(await connect('planted-wrong', 'ann', 'json')).toMatchObject(refused);
  expect(authorization('ann')).toBe('Bearer test-token');
  await connect('personal-usr_0042');
  expect(await connect('planted-wrong')).toMatchObject(refused);
  expect(authorization('ann')).toBe('Bearer personal-usr_0042');
});

/** Starts a service whose response to `/me` is held back until released. */
async function startSlowly(timeoutMs = 30_000) {
  const upstream = await startUpstreamDouble();
  const double = await againstUpstream(upstream.url, { timeoutMs });
  onTestFinished(async () => {
    await double.close();
    await upstream.close();
  });
  const replies = new Map<string, () => void>();
  let reply: Reply = json({ id: 'usr_1', name: 'Ann' });
  upstream.reply((response, request) => {
    const used = request.headers.authorization ?? '';
    if (request.url !== '/me') json({})(response, request);
    else if (used.endsWith('-slow')) {
      replies.set(used, () => {
        json({ id: used, name: 'Ann' })(response, request);
      });
    } else reply(response, request);
  });
  const caller = 'ann';
  return {
    connect(secret: string, signal?: AbortSignal) {
      const value = double.state.credentials.receive({ id: caller }, secret);
      const onElicit = () => ({ action: 'accept', value }) as const;
      const options = { caller, onElicit, ...(signal && { signal }) };
      return double.call('example_connect_account', {}, options);
    },
    /** Returns the credential of a later call of the same caller. */
    async used() {
      await double.call('example_search_users', { query: 'ada' }, { caller });
      return upstream.requests.at(-1)?.headers.authorization;
    },
    checking: (secret: string) => expect.poll(() => replies.has(`Bearer ${secret}`)).toBe(true),
    respond: (secret: string) => replies.get(`Bearer ${secret}`)?.(),
    fail(how: Reply) {
      reply = how;
    },
  };
}

test.each<[string, Reply, string]>([
  ['fails', json({}, 500), 'Error: API request failed with status 500'],
  ['is silent', hang, 'Error: Request timed out. Please try again.'],
  ['answers oddly', json([]), 'Error: Unexpected error occurred: UpstreamResponseError'],
])(
  'if the service %s during the check, the previous account stays [M30 M32]',
  async (_, how, text) => {
    const service = await startSlowly(1_000);
    await service.connect('good');
    service.fail(how);
    expect(await service.connect('unchecked')).toMatchObject({ text, isError: true });
    expect(await service.used()).toBe('Bearer good');
  },
);

test('a secret is used by no other call while it is checked, and by none if its call is cancelled [M30]', async () => {
  const service = await startSlowly();
  await service.connect('good');
  const leaving = new AbortController();
  const cancelled = service.connect('new-slow', leaving.signal);
  await service.checking('new-slow');
  expect(await service.used()).toBe('Bearer good');
  leaving.abort(new Error('gone'));
  await expect(cancelled).rejects.toThrow('gone');
  expect(await service.used()).toBe('Bearer good');
});

test('of two secrets given concurrently by one caller, the last confirmed one is used [M30]', async () => {
  const service = await startSlowly();
  const [first, second] = [service.connect('a-slow'), service.connect('b-slow')];
  await service.checking('a-slow');
  await service.checking('b-slow');
  service.respond('b-slow');
  expect((await second).structured).toMatchObject({ account: { id: 'Bearer b-slow' } });
  expect(await service.used()).toBe('Bearer b-slow');
  service.respond('a-slow');
  expect((await first).structured).toMatchObject({ account: { id: 'Bearer a-slow' } });
  expect(await service.used()).toBe('Bearer a-slow');
});

test.each<ElicitReply<unknown>>([{ action: 'decline' }, { action: 'cancel' }])(
  'nothing changes after %j, and the result states so [M30]',
  async (reply) => {
    const options = { caller: 'ann', onElicit: () => reply };
    const { text, structured } = await real.call('example_connect_account', {}, options);
    expect(structured).toEqual({ connected: false });
    expect(text).toBe('# Not connected\n\nThe user gave no token. Nothing has changed.');
    expect(authorization('ann')).toBe('Bearer test-token');
  },
);
