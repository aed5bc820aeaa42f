/** Raw TCP connections: malformed, duplicate and pipelined requests that client libraries do not send. */
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { mcpHeaders, startServer } from '../../../test/doubles/http-server.ts';
import { callOf, initializing } from '../../../test/doubles/messages.ts';

const modes = [
  ['without sessions', undefined],
  ['with sessions', { idleSeconds: 60, maxSessions: 5 }],
] as const;

const hello = JSON.stringify(initializing);

/** A POST with header lines that no client library would send. */
const posted = (lines: readonly string[], body: string, target = '/mcp') =>
  [
    `POST ${target} HTTP/1.1`,
    ...lines,
    `Content-Type: ${mcpHeaders['content-type']}`,
    `Accept: ${mcpHeaders.accept}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');

/** Sends the text, and disconnects after `isTime`. */
async function hangUp(url: string, text: string, isTime: () => Promise<void>): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => socket.write(text));
  socket.on('error', () => undefined);
  await isTime();
  socket.destroy();
}

/**
 * Sends the text, then `next` once `after` was received. Returns everything received until the connection or a
 * stream ended.
 */
function speak(url: string, text: string, after?: string, next = ''): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let heard = '';
    let isSent = after === undefined;
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket
      .on('data', (chunk) => {
        heard += chunk.toString();
        if (heard.endsWith('\r\n0\r\n\r\n')) socket.destroy();
        if (isSent || !heard.includes(after ?? '')) return;
        isSent = true;
        socket.write(next);
      })
      .on('error', () => undefined)
      .on('close', () => {
        resolve(heard);
      });
  });
}

const last = 'Connection: close';

for (const [mode, sessions] of modes) {
  test.each<[string, string[]]>([
    ['two Hosts in one line', ['Host: localhost, localhost']],
    ['a Host with a port that cannot be', ['Host: localhost:99999']],
    ['a Host with an empty port', ['Host: localhost:']],
    ['a Host with a name after the port', ['Host: localhost:80@evil.example']],
    ['an empty Host', ['Host:']],
    ['two Origins in one line', ['Host: localhost', 'Origin: http://localhost, x:']],
  ])(`${mode}, %s is rejected with a JSON-RPC error [M29]`, async (_, lines) => {
    const { url } = await startServer({ sessions });
    const heard = await speak(url, posted([...lines, last], hello));
    expect(heard).toMatch(/^HTTP\/1\.1 403 /);
    expect(heard).toMatch(
      /"code":-32000,"message":"Forbidden: this (Host|Origin) [\w ]+\. .*MCP_ALLOWED_(HOSTS|ORIGINS)\."/,
    );
  });

  const localhost = 'Host: localhost';
  test.each<[string, string[], string]>([
    ['two Hosts, the first of them good', [localhost, 'Host: evil.example'], 'Host'],
    ['two Hosts, the last of them good', ['Host: evil.example', localhost], 'Host'],
    ['the same Host twice', [localhost, localhost], 'Host'],
    ['a Host and an empty one', [localhost, 'Host:'], 'Host'],
    ['two Origins', [localhost, 'Origin: http://localhost', 'Origin: x:'], 'Origin'],
    ['two types', [localhost, 'Content-Type: text/plain'], 'Content-Type'],
    [
      'two credentials',
      [localhost, 'Authorization: Bearer a', 'authorization: b'],
      'Authorization',
    ],
  ])(`${mode}, %s are rejected as repeated [M29]`, async (_, lines, name) => {
    const { url } = await startServer({ sessions });
    const heard = await speak(url, posted([...lines, last], hello));
    expect(heard).toMatch(/^HTTP\/1\.1 400 /);
    expect(heard).toContain(`"message":"Bad Request: ${name} was sent more than once`);
  });

  test.each([
    'http://evil.example/mcp',
    'http://localhost@evil.example/mcp',
    'http://evil.example@localhost/mcp',
    'http:///mcp',
  ])(
    `${mode}, the host in the target %s counts instead of Host, and is rejected [M29]`,
    async (target) => {
      const { url } = await startServer({ sessions });
      const heard = await speak(url, posted(['Host: localhost', last], hello, target));
      expect(heard).toMatch(/^HTTP\/1\.1 40[03] /);
    },
  );

  test.each<[string, string[]]>([
    ['two Hosts', ['Host: localhost', 'Host: evil.example']],
    ['the same Host twice', ['Host: localhost', 'Host: localhost']],
    ['an empty Host', ['Host:']],
    ['a Host that is none', ['Host: evil.example/x']],
  ])(`${mode}, a host in the target does not hide %s [M29]`, async (_, lines) => {
    const { url } = await startServer({ sessions });
    const heard = await speak(url, posted([...lines, last], hello, 'http://localhost/mcp'));
    expect(heard).toMatch(/^HTTP\/1\.1 40[03] /);
  });

  test.each<[string, string[], string]>([
    ['the Host in capitals', ['Host: LOCALHOST:80'], '/mcp'],
    [
      'forwarding headers, which say nothing here',
      ['Host: localhost', 'X-Forwarded-Host: x'],
      '/mcp',
    ],
    ['a query', ['Host: localhost'], '/mcp?\\..//['],
    ['a wish to upgrade', ['Host: localhost', 'Upgrade: websocket'], '/mcp'],
    ['a target with a host, as for a proxy', ['Host: localhost'], 'http://localhost/mcp'],
    [
      'a target with another host than Host',
      ['Host: evil.example'],
      'HTTP://LOCALHOST:80/mcp?a=/b',
    ],
    ['an origin that is the target’s', ['Host: x', 'Origin: http://[::1]'], 'https://[::1]/mcp'],
  ])(`${mode}, %s is accepted`, async (_, lines, target) => {
    const { url } = await startServer({ sessions });
    expect(await speak(url, posted([...lines, last], hello, target))).toMatch(/^HTTP\/1\.1 200 /);
  });
}

test('different credentials are rejected, and repeated ones count as one [M31]', async () => {
  const { url } = await startServer({ authentication: { kind: 'bearer', token: 'a-good-token' } });
  const lines = ['Host: localhost', 'Authorization: Bearer a-good-token', last];
  expect(await speak(url, posted(lines, hello))).toMatch(/^HTTP\/1\.1 200 /);
  const twice = await speak(url, posted([...lines, 'Authorization: Bearer a-bad-one'], hello));
  expect(twice).toMatch(/^HTTP\/1\.1 400 [^]*Authorization was sent more than once/);
  expect(twice).not.toMatch(/a-good|a-bad/);
  const same = await speak(url, posted([...lines, 'authorization: Bearer a-good-token'], hello));
  expect(same).toMatch(/^HTTP\/1\.1 200 /);
});

test('invalid data behind a request in progress ends the connection without altering the response', async () => {
  const { url } = await startServer();
  const body = JSON.stringify(callOf(1, 'wait_long', {}, { progressToken: 1 }));
  const heard = await speak(url, posted(['Host: localhost'], body), 'begun', 'nonsense\r\n\r\n');
  expect(heard).toContain('"progress":1');
  expect(heard.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test('invalid data behind a complete response is rejected with a JSON-RPC error', async () => {
  const { url } = await startServer();
  const heard = await speak(url, posted(['Host: localhost'], hello), '"id":1', 'nonsense\r\n\r\n');
  expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
});

test('pipelined requests are answered in order', async () => {
  const { url } = await startServer();
  const call = (id: number, tool: string, args: object, ...lines: string[]) =>
    posted(['Host: localhost', ...lines], JSON.stringify(callOf(id, tool, args)));
  const heard = await speak(
    url,
    call(1, 'wait_briefly', {}) + call(2, 'echo_text', { text: 'x' }, last),
  );
  expect(heard.match(/"id":\d/g)).toEqual(['"id":1', '"id":2']);
});

test('a pipelined request begins when the previous one is answered; disconnecting aborts all of them', async () => {
  const { url, state, close } = await startServer({ drainMs: 60_000 });
  const call = posted(['Host: localhost'], JSON.stringify(callOf(1, 'wait_long')));
  await hangUp(url, call.repeat(20), () => expect.poll(() => state.events).not.toEqual([]));
  await expect.poll(() => state.events).toEqual(['waiting', 'aborted']);
  // No call is left for the shutdown to wait for.
  await close();
});
