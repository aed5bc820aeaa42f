/** Offers of another protocol, to a server that accepts WebSockets of one kind, and to the site's own. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startListeningSite } from '../../test/listening-site';
import { createDrain } from './drain';
import { handleUpgrades, offersWebSocket } from './upgrades';

vi.mock('../log', () => import('../../test/log-double'));

const site = await startListeningSite();

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    const { method = '', url = '', headers } = request;
    response.setHeader('x-offer', JSON.stringify([headers.connection, headers.upgrade]));
    response.end(`${method} ${url} ${body}`);
  });
});
handleUpgrades(
  server,
  (request) => offersWebSocket(request) && request.headers['sec-websocket-protocol'] === 'mine',
  (_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
);

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
  socket.on('data', (text: string) => (heard += text));
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

const close = 'GET /last HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n';

beforeEach(() => {
  site.world.remix = async (request) =>
    new Response(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`);
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

test('a request that is pipelined after an ignored offer is answered', async () => {
  expect(await talk(upgrading(), `${h2c('GET /first')}\r\n${close}`)).toMatch(
    /GET \/first [^]*GET \/last $/,
  );
});

test('a connection may make any number of offers', async () => {
  const offers = Array.from({ length: 20 }, () => `${h2c('GET /')}\r\n`);
  expect(await talk(upgrading(), ...offers, close)).toContain('GET /last');
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
  let heard = '';
  for await (const text of socket) heard += text as string;
  expect(heard).toContain('POST /form body');
});

test.each([
  ['TLS/1.0', 'Upgrade'],
  ['h2c, irc/6.9', 'keep-alive, Upgrade'],
  ['websocket', 'Upgrade'],
])('the offer %s is taken off the request', async (upgrade, connection) => {
  const heard = await talk(upgrading(), h2c('GET /', connection, upgrade) + '\r\n' + close);
  expect(heard).toMatch(/x-offer: \[("keep-alive")?(null)?,null\]/);
});

test('the offer that is accepted is handled', async () => {
  const offer = `${h2c('GET /', 'Upgrade', 'WebSocket')}Sec-WebSocket-Protocol: mine\r\n\r\n`;
  expect(await talk(upgrading(), offer)).toBe('HTTP/1.1 101 Switching Protocols\r\n\r\n');
});

test('a connection whose offer was ignored is drained as any other', async () => {
  const own = createServer((_request, response) => {
    setImmediate(() => response.end('whole'));
    void drained.then(() => undefined);
  });
  handleUpgrades(own, offersWebSocket, () => undefined);
  const drain = createDrain(own, 60_000);
  let begin: () => void = () => undefined;
  const drained = new Promise<void>((resolve) => (begin = resolve)).then(drain);
  own.once('request', () => {
    begin();
  });
  await once(own.listen(0, '127.0.0.1'), 'listening');
  const { port } = own.address() as AddressInfo;
  expect(await talk(port, `${h2c('GET /')}\r\n`)).toMatch(/whole$/);
  await drained;
});
