/** Startup and graceful shutdown of the production server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, siteEntry, siteSettings, test, type Stack } from '../../e2e/fixtures';
import { freePort, startSite, type Site } from '@gatehouse/simulator/programs';
import { formRequest, httpVisitor } from '@gatehouse/simulator/http';
import { submit } from './order';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Starts a site process for one test, behind the same platform. */
async function ownSite({ platform }: Stack, env: Record<string, string> = {}) {
  const site = await startSite({ ...siteSettings(platform), entry: siteEntry, env });
  platform.setSiteUpstream(site.url);
  return site;
}

test.afterEach(({ stack }) => {
  stack.platform.setSiteUpstream(stack.site.url);
});

test('finishes the request in progress upon SIGTERM, and reports that it is not ready', async ({
  platform,
  stack,
}) => {
  const site = await ownSite(stack);
  const { received, send, closed } = await halfAPost(platform, site);

  site.child.kill('SIGTERM');
  await expect.poll(() => isOpen(portOf(site)), 'no new connection is accepted').toBe(false);
  // A second signal must not cut off requests in progress.
  site.child.kill('SIGTERM');
  expect(platform.ledger.calls({ endpoint: 'submit' }), 'not answered yet').toEqual([]);
  send('"A kite"]}GET /readyz HTTP/1.1\r\nHost: site\r\n\r\n');
  await closed;

  expect(received()).toContain('HTTP/1.1 201 ');
  expect(received()).toContain('"prompt":"A kite"');
  expect(received()).toContain('HTTP/1.1 503 Service Unavailable');
  expect(received()).toContain('{"status":"draining"}');
  expect(await site.exited).toBe(0);
});

test('accepts connections during the shutdown delay, while /readyz responds with 503', async ({
  stack,
}) => {
  const site = await ownSite(stack, { SHUTDOWN_DELAY_SECONDS: '300' });
  site.child.kill('SIGTERM');
  await expect.poll(async () => (await fetch(`${site.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${site.url}/api/user`)).status).toBe(401);
  // SIGINT, as from Ctrl-C, skips the delay.
  site.child.kill('SIGINT');
  expect(await site.exited).toBe(130);
});

test('npm start forwards the signal', async () => {
  test.skip(process.platform === 'win32', 'Windows has no such signal');
  const port = await freePort();
  const env = { ...runSettings, PORT: String(port), SHUTDOWN_DELAY_SECONDS: '0' };
  const npm = spawn('npm', ['start'], { cwd: repository, env: { ...process.env, ...env } });
  const ended = once(npm, 'close');
  try {
    await expect.poll(() => isOpen(port)).toBe(true);
  } finally {
    npm.kill('SIGTERM');
  }
  await ended;
  await expect.poll(() => isOpen(port)).toBe(false);
});

test('stops at once when no request is in progress', async ({ stack, platform }) => {
  const site = await ownSite(stack);
  expect((await httpVisitor(platform, 'ada').get('/api/user')).status).toBe(200);
  const began = Date.now();
  await site.stop();
  expect(await site.exited).toBe(0);
  // Less than the ten seconds after which a drain is cut off.
  expect(Date.now() - began).toBeLessThan(9_000);
});

const settings: [string, Record<string, string>, RegExp][] = [
  ['no internal address', { PLATFORM_INTERNAL_URL: '' }, /^PLATFORM_INTERNAL_URL is required/],
  [
    'an invalid internal address',
    { PLATFORM_INTERNAL_URL: 'localhost:4001' },
    /^PLATFORM_INTERNAL_URL must be/,
  ],
  ['an origin with a path', { SITE_ORIGIN: 'https://site.example/a' }, /^SITE_ORIGIN must be/],
  ['no key', { AUTH_SECRET: '' }, /^AUTH_SECRET is required/],
  ['no mail setting', { SMTP_URL: '' }, /^SMTP_URL is required/],
  ['a port that is not a number', { PORT: 'http' }, /^PORT must be/],
  ['a port out of range', { PORT: '70000' }, /^PORT /],
  [
    'frame ancestors that contain a directive',
    { PLATFORM_FRAME_ANCESTORS: "'self'; script-src *" },
    /^PLATFORM_FRAME_ANCESTORS must list/,
  ],
  ['no connections at all', { MAX_CONNECTIONS: '0' }, /^MAX_CONNECTIONS must be at least 1/],
  [
    'a delay that is not a number',
    { SHUTDOWN_DELAY_SECONDS: 'forever' },
    /^SHUTDOWN_DELAY_SECONDS must be a number/,
  ],
  ['an unknown log level', { LOG_LEVEL: 'loud' }, /^LOG_LEVEL /],
];

for (const [name, env, sentence] of settings) {
  test(`does not start with ${name}, and prints the reason in one sentence`, async () => {
    const { code, stderr, stdout } = await run(env);
    expect(code).toBe(1);
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/^[^\n]+\.\n$/);
    expect(stdout).toBe('');
  });
}

test('does not start on a port in use, and prints the reason in one sentence', async ({
  stack,
}) => {
  const { port } = new URL(stack.site.url);
  const { code, stderr } = await run({ PORT: port });
  expect([code, stderr]).toEqual([1, `PORT ${port} is taken.\n`]);
});

test('does not start on an address of another machine, and names the setting', async () => {
  // Reserved for documentation (RFC 5737).
  const { code, stderr } = await run({ HOST: '192.0.2.1' });
  expect([code, stderr]).toEqual([
    1,
    'HOST 192.0.2.1 is no address of this machine (EADDRNOTAVAIL).\n',
  ]);
});

test('logs no name, email address, input or secret of a visitor [W33]', async ({
  stack,
  platform,
}) => {
  const site = await ownSite(stack, { LOG_LEVEL: 'trace' });
  const cookie = platform.sessions.createCookie('ada');
  const ada = httpVisitor(platform, 'ada');
  await ada.get('/studio?token=canary-query', { cookie, authorization: 'Bearer canary-token' });
  await ada.post('/studio', formRequest({ prompt: 'canary words' }));
  await platform.faults.set('*', { kind: 'status', status: 500, body: 'canary body' });
  await ada.get('/studio');
  await platform.faults.set('*', { kind: 'bad_json', body: '{"canary":' });
  await ada.get('/studio');
  await platform.faults.set('*', { kind: 'unreachable' });
  await ada.get('/studio');
  await platform.faults.clear();
  await site.stop();

  const log = site.stdout() + site.stderr();
  expect(log.split('\n').filter((line) => line.includes('"msg":"request"'))).toHaveLength(5);
  expect(log).not.toMatch(/canary|usr_ada|Ada Quist|ada@example/);
  expect(log).not.toContain(cookie.split('=')[1]);
  expect(log).not.toContain(new URL(platform.internalUrl).host);
});

const runSettings: NodeJS.ProcessEnv = {
  NODE_ENV: 'production',
  PORT: '0',
  HOST: '127.0.0.1',
  PLATFORM_INTERNAL_URL: 'http://127.0.0.1:9',
  SITE_ORIGIN: 'http://site.localhost',
  PLATFORM_FRAME_ANCESTORS: 'http://platform.localhost',
  AUTH_SECRET: 'a key that is good for this test and nothing else',
  SMTP_URL: 'off',
};

/** Starts the site with invalid settings. */
async function run(env: Record<string, string>) {
  const child = spawn(process.execPath, [siteEntry], {
    cwd: repository,
    env: { ...process.env, ...runSettings, ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** Begins a submission that the site has accepted, and whose body is still incomplete. */
async function halfAPost(platform: Stack['platform'], site: Site) {
  const socket = connect(portOf(site), '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  const head = [
    `POST ${submit()} HTTP/1.1`,
    'Host: site',
    `Origin: ${platform.siteOrigin}`,
    `x-platform-visitor: ${platform.sessions.mintTicket('ada')}`,
    'Content-Type: application/json',
    'Idempotency-Key: of-this-order',
    `Content-Length: ${'{"prompts":["A kite"]}'.length}`,
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await expect.poll(() => received).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write('{"prompts":[');
  return { received: () => received, send: (text: string) => socket.write(text), closed };
}

const portOf = ({ url }: Site) => Number(new URL(url).port);

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
