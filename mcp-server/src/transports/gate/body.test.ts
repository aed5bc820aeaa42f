/** A body behind the whole gate: its size, its depth, and what is no JSON. */
import { connect } from 'node:net';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { openGate, startGateServer } from '../../../test/gate-server.ts';
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
    const answer = await send({ body });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(refusedWith(-32_700, /Parse error/));
  });

  test('of the largest size passes; of one byte more it is a 413 in the shape of JSON-RPC [M29]', async () => {
    expect((await send({ body: `"${'a'.repeat(998)}"` })).status).toBe(200);
    const { status, body } = await send({ body: `"${'a'.repeat(999)}"` });
    expect(status).toBe(413);
    expect(body).toEqual(refusedWith(-32_000, /1000 bytes/));
  });

  test('of unsaid length is refused when it grows too large, and the sender hears it', async () => {
    const { host } = await startGateServer(gate());
    const chunk = 'a'.repeat(4_096);
    const answer = await speak(host, [
      `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nAccept: */*\r\nTransfer-Encoding: chunked\r\n\r\n`,
      ...Array.from({ length: 32 }, () => `1000\r\n${chunk}\r\n`),
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"code":-32000');
  });

  test('that lies about its length is refused before it is read', async () => {
    const { host } = await startGateServer(gate());
    const answer = await speak(host, [
      `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nAccept: */*\r\nContent-Length: 99999999999\r\n\r\n`,
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('connection: close');
  });

  test('is refused when it is nested too deeply; brackets in a string do not count', async () => {
    const nested = (depth: number, inside = '') =>
      `${'['.repeat(depth)}${inside}${']'.repeat(depth)}`;
    const text = String.raw`"\"${'[{'.repeat(150)}\\"`;
    const gateOfMany = createGate({ ...openGate, maxBodyBytes: 1_000_000 });
    const { url } = await startGateServer(gateOfMany);
    const post = async (body: string) => {
      const response = await request(url, { ...wellFormed, body });
      return { status: response.statusCode, body: await response.body.json() };
    };
    expect(await post(nested(100, text))).toMatchObject({ status: 200 });
    expect(await post(`[${'{"a":[]},'.repeat(200)}1]`)).toMatchObject({ status: 200 });
    const objects = `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`;
    const behindString = String.raw`["\\\\",${nested(100)}]`;
    for (const body of [nested(101), nested(400_000), objects, behindString]) {
      expect(await post(body)).toEqual({ status: 400, body: refusedWith(-32_600, /deeply/) });
    }
    // A string without an end is looked through once.
    expect(await post(`"${'a'.repeat(300)}`)).toMatchObject({ status: 400 });
  });
});

/** Writes to a bare socket, and gives what comes back until the answer is whole or the connection ends. */
function speak(host: string, parts: readonly string[]): Promise<string> {
  const [address = '', port] = host.split(':');
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(Number(port), address, () => {
      for (const part of parts) socket.write(part);
    });
    socket.on('data', (chunk) => {
      heard += chunk.toString();
      if (heard.includes('"id":null')) socket.destroy();
    });
    socket
      .on('error', () => undefined)
      .on('close', () => {
        resolve(heard);
      });
  });
}
