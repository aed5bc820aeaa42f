/** The body behind the complete gate: size, depth and invalid JSON. */
import { connect } from 'node:net';
import { request } from 'undici';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openGate, startGateServer } from '../../../test/doubles/gate-server.ts';
import { createGate } from './gate.ts';

const wellFormed = {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  },
} as const;

const gate = () => createGate(openGate);

async function send({ body }: { body: string }) {
  const { url } = await startGateServer(gate());
  const response = await request(url, { ...wellFormed, body });
  return { status: response.statusCode, body: await response.body.json() };
}

const refusedWith = (code: number, words: RegExp) => ({
  jsonrpc: '2.0',
  error: { code, message: expect.stringMatching(words) as string },
  id: null,
});

describe('the body', () => {
  test.each(['', '{', 'undefined', '{"a":1}x', '\u0000'])('"%s" is not JSON', async (body) => {
    const response = await send({ body });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(refusedWith(-32_700, /Parse error/));
  });

  test('of the maximum size passes; one byte more is a 413 as a JSON-RPC error [M29]', async () => {
    expect((await send({ body: `"${'a'.repeat(998)}"` })).status).toBe(200);
    const { status, body } = await send({ body: `"${'a'.repeat(999)}"` });
    expect(status).toBe(413);
    expect(body).toEqual(refusedWith(-32_000, /1000 bytes/));
  });

  /** Sends the head of a request, with fake timers. */
  async function begin(framing: string) {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { host } = await startGateServer(gate());
    const [address = '', port] = host.split(':');
    const socket = connect(Number(port), address);
    onTestFinished(() => {
      socket.destroy();
    });
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nAccept: */*\r\n${framing}\r\n\r\n`,
    );
    return socket;
  }

  test('with a Content-Length over the limit is rejected unread, without waiting for the rest', async () => {
    let heard = '';
    for await (const chunk of await begin('Content-Length: 99999999999')) {
      heard += String(chunk);
      if (heard.includes('"id":null')) vi.advanceTimersByTime(1_000);
    }
    expect(heard).toMatch(/^HTTP\/1\.1 413 [^]*connection: close/);
  });

  test('that was read and rejected leaves its connection usable at once', async () => {
    const socket = await begin('Content-Length: 1');
    socket.write('{GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    let heard = '';
    for await (const chunk of socket) heard += String(chunk);
    expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 405']);
  });

  const much = 'a'.repeat(8 * 1024 * 1024);
  const chunked = `${much.length.toString(16)}\r\n${much}\r\n0\r\n\r\n`;

  test.each([
    [`Content-Length: ${much.length}`, much],
    ['Transfer-Encoding: chunked', chunked],
  ])(
    'too large, %s: a sender that reads only after sending gets the response and the end of the connection',
    async (framing, body) => {
      const socket = await begin(framing);
      await new Promise((resolve, reject) => {
        socket.once('error', reject).write(body, resolve);
      });
      let heard = '';
      for await (const chunk of socket) heard += String(chunk);
      expect(heard).toMatch(/^HTTP\/1\.1 413 [^]*connection: close[^]*"code":-32000/);
    },
  );

  test('is rejected if it is nested too deeply; brackets in a string do not count', async () => {
    const nested = (depth: number, inside = '') =>
      `${'['.repeat(depth)}${inside}${']'.repeat(depth)}`;
    const text = String.raw`"\"${'[{'.repeat(150)}\\"`;
    const gateOfMany = createGate({ ...openGate, maxBodyBytes: 1_000_000 });
    const { url } = await startGateServer(gateOfMany);
    const post = async (body: string) => {
      const response = await request(url, { ...wellFormed, body });
      // The body was read completely, whatever its length.
      expect(response.headers.connection).toBe('keep-alive');
      return { status: response.statusCode, body: await response.body.json() };
    };
    expect(await post(nested(100, text))).toMatchObject({ status: 200 });
    expect(await post(`[${'{"a":[]},'.repeat(200)}1]`)).toMatchObject({ status: 200 });
    const objects = `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`;
    const behindString = String.raw`["\\\\",${nested(100)}]`;
    for (const body of [nested(101), nested(400_000), objects, behindString]) {
      expect(await post(body)).toEqual({
        status: 400,
        body: refusedWith(-32_600, /deeper than 100 levels/),
      });
    }
    // An unterminated string is scanned once.
    expect(await post(`"${'a'.repeat(300)}`)).toMatchObject({ status: 400 });
  });
});
