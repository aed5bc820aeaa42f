/** Starting and stopping the production server, as an operator meets it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, siteEntry, siteSettings, test, type Stack } from './fixtures';
import { startSite } from './harness/site-process';
import { formAsk, httpVisitor } from './visitor-http';

const repository = fileURLToPath(new URL('..', import.meta.url));

/** A site of the test's own, behind the same platform. */
async function ownSite({ platform }: Stack, env: Record<string, string> = {}) {
  const site = await startSite({ ...siteSettings(platform), entry: siteEntry, env });
  platform.setSiteUpstream(site.url);
  return site;
}

test.afterEach(({ stack }) => {
  stack.platform.setSiteUpstream(stack.site.url);
});

test('finishes the request under way when it is told to stop, and says it is not ready', async ({
  platform,
  stack,
}) => {
  const site = await ownSite(stack);
  const { port } = new URL(site.url);

  const socket = connect(Number(port), '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  const body = JSON.stringify({ prompt: 'A kite' });
  const head = [
    'POST /api/generations HTTP/1.1',
    'Host: site',
    `Origin: ${platform.siteOrigin}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  // The server has the request in hand, and waits for the rest of it.
  await expect.poll(() => received).toBe('HTTP/1.1 100 Continue\r\n\r\n');

  site.child.kill('SIGTERM');
  await expect.poll(() => isOpen(Number(port)), 'nobody new is let in').toBe(false);
  expect(platform.ledger.calls(), 'the open request is not answered yet').toEqual([]);
  socket.write(`${body}GET /readyz HTTP/1.1\r\nHost: site\r\n\r\n`);
  await closed;

  // No ticket came with it, so the platform knows nobody: a whole answer all the same.
  expect(received).toContain('HTTP/1.1 401 ');
  expect(received).toContain('"error":"unauthenticated"');
  expect(received).toContain('HTTP/1.1 503 Service Unavailable');
  expect(received).toContain('{"status":"draining"}');
  expect(await site.exited).toBe(0);
});

test('stops at once when nothing is under way', async ({ stack, platform }) => {
  const site = await ownSite(stack);
  expect((await httpVisitor(platform, 'ada').get('/api/user')).status).toBe(200);
  const began = Date.now();
  await site.stop();
  expect(await site.exited).toBe(0);
  // Short of the ten seconds that a drain is given at most.
  expect(Date.now() - began).toBeLessThan(9_000);
});

const settings: [string, Record<string, string>, RegExp][] = [
  ['no internal address', { PLATFORM_INTERNAL_URL: '' }, /^PLATFORM_INTERNAL_URL is required/],
  [
    'an internal address that is none',
    { PLATFORM_INTERNAL_URL: 'localhost:4001' },
    /^PLATFORM_INTERNAL_URL must be/,
  ],
  ['an origin with a path', { SITE_ORIGIN: 'https://site.example/a' }, /^SITE_ORIGIN must be/],
  ['a port that is none', { PORT: 'http' }, /^PORT must be/],
  ['a port out of range', { PORT: '70000' }, /^PORT /],
  [
    'frame ancestors that hold a directive',
    { PLATFORM_FRAME_ANCESTORS: "'self'; script-src *" },
    /^PLATFORM_FRAME_ANCESTORS must list/,
  ],
  ['an unknown log level', { LOG_LEVEL: 'loud' }, /^LOG_LEVEL /],
];

for (const [name, env, sentence] of settings) {
  test(`does not start with ${name}, and says so in one sentence`, async () => {
    const { code, stderr, stdout } = await run(env);
    expect(code).toBe(1);
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/^[^\n]+\.\n$/);
    expect(stdout).toBe('');
  });
}

test('does not start on a taken port, and says so in one sentence', async ({ stack }) => {
  const { port } = new URL(stack.site.url);
  const { code, stderr } = await run({ PORT: port });
  expect([code, stderr]).toEqual([1, `PORT ${port} is taken.\n`]);
});

test('logs no name, no address, no words and no secret of a visitor [W33]', async ({
  stack,
  platform,
}) => {
  const site = await ownSite(stack, { LOG_LEVEL: 'trace' });
  const cookie = platform.sessions.createCookie('ada');
  const ada = httpVisitor(platform, 'ada');
  await ada.get('/studio?token=canary-query', { cookie, authorization: 'Bearer canary-token' });
  await ada.post('/studio', formAsk({ prompt: 'canary words' }));
  await platform.faults.set('*', { kind: 'status', status: 500, body: 'canary body' });
  await ada.get('/studio');
  await platform.faults.set('*', { kind: 'bad_json', body: '{"canary":' });
  await ada.get('/studio');
  await platform.faults.clear();
  await site.stop();

  const log = site.stdout() + site.stderr();
  expect(log.split('\n').filter((line) => line.includes('"msg":"request"'))).toHaveLength(4);
  expect(log).not.toMatch(/canary|usr_ada|Ada Quist|ada@example/);
  expect(log).not.toContain(cookie.split('=')[1]);
  expect(log).not.toContain(platform.internalUrl);
});

/** Runs the site with settings that it should refuse. */
async function run(env: Record<string, string>) {
  const child = spawn(process.execPath, [siteEntry], {
    cwd: repository,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: '0',
      HOST: '127.0.0.1',
      PLATFORM_INTERNAL_URL: 'http://127.0.0.1:9',
      SITE_ORIGIN: 'http://site.localhost',
      PLATFORM_FRAME_ANCESTORS: 'http://platform.localhost',
      ...env,
    },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
