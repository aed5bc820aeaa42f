/** Offers of another protocol, to a server that accepts WebSockets of one kind, and to the site's own. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createDrain, handleUpgrades, offersWebSocket } from '@gatehouse/http';
import { startListeningSite } from '../testing/listening-site.ts';

vi.mock('../log.ts', () => import('../testing/log-double.ts'));

const site = await startListeningSite();

/** Requests of `/slow`, which read their body and respond only once the test releases them. */
const held: { release: () => void; gone: Promise<unknown> }[] = [];
const hold = (gone: Promise<unknown>) =>
  new Promise<void>((release) => held.push({ release, gone }));

/** The one request of `/slow` that has begun. */
async function late() {
  await expect.poll(() => held).toHaveLength(1);
  return held[0] as (typeof held)[number];
}

const server = createServer((request, response) => {
  const { method = '', url = '', headers } = request;
  const released = url === '/slow' ? hold(once(response, 'close')) : Promise.resolve();
  void released
    .then(() => text(request))
    .then((body) => {
      response.setHeader('x-offer', JSON.stringify([headers.connection, headers.upgrade]));
      response.end(`${method} ${url} ${body}`);
    });
});
handleUpgrades(server, {
  accepts: (request) =>
    offersWebSocket(request) && request.headers['sec-websocket-protocol'] === 'mine',
  handle: ({ headers }, socket) =>
    socket.end(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${headers.upgrade}\r\n\r\n`),
});

beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
const upgrading = () => (server.address() as AddressInfo).port;

/** Sends parts, each after the previous one's response has begun, and gives all responses. */
async function talk(port: number, ...parts: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let heard = '';
  socket.on('data', (chunk: string) => (heard += chunk));
  const closed = once(socket, 'close');
  for (const [index, part] of parts.entries()) {
    socket.write(part);
    if (index < parts.length - 1) await once(socket, 'data');
  }
  await closed;
  return heard;
}

const h2c = (request: string, connection = 'Upgrade, HTTP2-Settings', upgrade = 'h2c') =>
  `${request} HTTP/1.1\r\nHost: site.example\r\nUser-Agent: curl\r\nConnection: ${connection}\r\nUpgrade: ${upgrade}\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n`;

const plain = (request: string, headers = '') =>
  `${request} HTTP/1.1\r\nHost: site.example\r\n${headers}\r\n`;

const close = 'GET /last HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n';

beforeEach(() => {
  held.length = 0;
  site.doubles.readsBody = false;
  site.doubles.remix = async (request, { signal }) => {
    const { pathname } = new URL(request.url);
    const gone = new Promise((resolve) => signal?.addEventListener('abort', resolve));
    if (pathname === '/slow') await hold(gone);
    return new Response(`${request.method} ${pathname} ${await request.text()}`);
  };
});

const servers: [string, () => number][] = [
  ['a server that accepts other offers', upgrading],
  ['the site in production', () => site.port],
];

test.each(servers)(
  'an offer of HTTP/2 is ignored by %s, and the connection kept',
  async (_, at) => {
    const heard = await talk(at(), `${h2c('GET /first')}\r\n`, `${h2c('HEAD /second')}\r\n`, close);
    expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(Array(3).fill('HTTP/1.1 200'));
    expect(heard).toContain('GET /first ');
    expect(heard).toContain('GET /last ');
  },
);

test.each(servers)(
  'a request that is pipelined after ignored offers is answered by %s',
  async (_, at) => {
    const offers = [`${h2c('GET /first')}\r\n`, `${h2c('GET /second')}\r\n`];
    expect(await talk(at(), offers.join('') + close)).toMatch(
      /GET \/first [^]*GET \/second [^]*GET \/last /,
    );
  },
);

test.each(servers)(
  'an offer that is pipelined behind a late response waits for it at %s',
  async (_, at) => {
    const slow = [plain('GET /slow'), plain('GET /next'), `${h2c('GET /offer')}\r\n`, close].join(
      '',
    );
    const heard = talk(at(), slow);
    (await late()).release();
    expect(await heard).toMatch(/GET \/slow [^]*GET \/next [^]*GET \/offer [^]*GET \/last /);
  },
);

test.each(servers)(
  'an offer waits at %s though the request before it is read late',
  async (_, at) => {
    const body = 'x'.repeat(100_000);
    const post = `${plain('POST /slow', `Sec-Fetch-Site: same-origin\r\nContent-Length: ${body.length}\r\n`)}${body}`;
    const socket = connect(at(), '127.0.0.1').setEncoding('utf8');
    const heard = text(socket);
    socket.write(`${post}${h2c('GET /offer')}\r\n${close}`);
    (await late()).release();
    expect(await heard).toMatch(/POST \/slow x+[^]*GET \/offer [^]*GET \/last /);
  },
);

test.each(servers)(
  'a client that leaves while its offer waits at %s harms nobody',
  async (_, at) => {
    const socket = connect(at(), '127.0.0.1');
    socket.write(`${plain('GET /slow')}${h2c('GET /offer')}\r\n`);
    const slow = await late();
    socket.resetAndDestroy();
    await slow.gone;
    slow.release();
    expect(await talk(at(), close)).toContain('GET /last');
  },
);

test('a connection may make any number of offers, without listeners that pile up', async () => {
  const offers = Array.from({ length: 30 }, () => `${h2c('GET /')}\r\n`);
  expect(await talk(upgrading(), ...offers, close)).toContain('GET /last');
  expect(await talk(upgrading(), offers.join('') + close)).toContain('GET /last');
});

test('a head with more headers than Node keeps is refused: its length may be among the others', async () => {
  const many = 'a:\r\n'.repeat(1_200);
  const post = `${h2c('POST /form')}${many}Content-Length: ${close.length}\r\n\r\n${close}`;
  const heard = await talk(upgrading(), post);
  expect(heard).not.toContain('GET /last');
  expect(heard).toMatch(/^HTTP\/1\.1 431 /);
});

test.each(servers)('a body that follows the offer reaches %s', async (_, at) => {
  const post = `${h2c('POST /form', 'Upgrade, HTTP2-Settings, close')}Sec-Fetch-Site: same-origin\r\n`;
  expect(await talk(at(), `${post}Content-Length: 4\r\n\r\nbody`)).toContain('POST /form body');
  const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n2\r\nbo\r\n`;
  const socket = connect(at(), '127.0.0.1').setEncoding('utf8');
  socket.write(chunked);
  // The rest arrives later, when the server has already read the head.
  await new Promise((resolve) => setImmediate(resolve));
  socket.write('2\r\ndy\r\n0\r\n\r\n');
  expect(await text(socket)).toContain('POST /form body');
});

test.each([
  ['TLS/1.0', 'Upgrade'],
  ['h2c, irc/6.9', 'keep-alive, Upgrade'],
  ['websocket', 'Upgrade'],
])('the offer %s is taken off the request', async (upgrade, connection) => {
  const heard = await talk(upgrading(), h2c('GET /', connection, upgrade) + '\r\n' + close);
  expect(heard).toMatch(/x-offer: \[("keep-alive")?(null)?,null\]/);
});

const mine = 'Sec-WebSocket-Protocol: mine\r\n';
const switched = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n';

test.each([
  'WebSocket',
  'websocket, h2c',
  'h2c,websocket',
  'h2c\r\nUpgrade: websocket',
  'websocket\r\nUpgrade: h2c',
])('the offer %j is accepted as one of a WebSocket', async (upgrade) => {
  const offer = `${h2c('GET /', 'Upgrade', upgrade)}${mine}\r\n`;
  expect(await talk(upgrading(), offer)).toBe(switched);
});

test('an accepted offer waits for the response before it', async () => {
  const heard = talk(
    upgrading(),
    `${plain('GET /slow')}${h2c('GET /', 'Upgrade', 'websocket')}${mine}\r\n`,
  );
  (await late()).release();
  expect(await heard).toMatch(/GET \/slow [^]*101 Switching Protocols/);
});

test.each([
  [
    'in HTTP/1.0',
    plain('GET /', `${mine}Connection: Upgrade\r\nUpgrade: websocket\r\n`).replace('1.1', '1.0'),
  ],
  [
    'with a body',
    `${h2c('GET /', 'Upgrade, close', 'websocket')}${mine}Content-Length: 1\r\n\r\nx`,
  ],
  ['of POST', `${h2c('POST /', 'Upgrade, close', 'websocket')}${mine}\r\n`],
])('a WebSocket offer %s is ignored', async (_, offer) => {
  expect(await talk(upgrading(), offer)).toMatch(/^HTTP\/1\.1 200 /);
});

test.each([
  ['offer', `${h2c('GET /')}\r\n`, 1],
  ['offer that waits', `${plain('GET /')}${h2c('GET /')}\r\n`, 2],
])('a connection with an ignored %s is drained as any other', async (_, sent, responses) => {
  const own = createServer((_request, response) => {
    setImmediate(() => response.end('whole'));
    void drained.then(() => undefined);
  });
  handleUpgrades(own);
  const drain = createDrain(own, 60_000);
  let begin: () => void = () => undefined;
  const drained = new Promise<void>((resolve) => (begin = resolve)).then(drain);
  own.once('request', () => {
    begin();
  });
  await once(own.listen(0, '127.0.0.1'), 'listening');
  const { port } = own.address() as AddressInfo;
  expect((await talk(port, sent)).match(/whole/g)).toHaveLength(responses);
  await drained;
});
