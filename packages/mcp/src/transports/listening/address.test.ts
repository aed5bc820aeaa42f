/** Which machines can reach the server, and which Host names it accepts. */
import { Server, type AddressInfo } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { textOf } from '../../../test/doubles/connected-client.ts';
import { connectOverHttp, post, startServer } from '../../../test/doubles/http-server.ts';
import { originOf } from './address.ts';

describe('an address that others can reach', () => {
  const token = 'a-token-for-this-test';

  test.each([
    { host: '0.0.0.0' },
    { host: '::' },
    { allowedHosts: ['mcp.example.com'] },
    { allowedHosts: ['localhost', '127.evil.example'] },
    { publicUrl: 'https://mcp.example.com' },
  ])('%j without authentication fails the startup [M31]', async (address) => {
    await expect(startServer(address)).rejects.toThrow(/MCP_BEARER_TOKEN or MCP_OAUTH_ISSUER/);
  });

  test('with authentication it starts, and accepts only requests with the token [M31]', async () => {
    const { url } = await startServer({
      host: '0.0.0.0',
      authentication: { kind: 'bearer', token },
    });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const { client } = await connectOverHttp(url, { authorization: `Bearer ${token}` });
    const shown = await client.callTool({ name: 'probe_show_context', arguments: {} });
    expect(textOf(shown)).toBe('probe_mcp probe bearer');
    await expect(connectOverHttp(url)).rejects.toThrow();
    await expect(connectOverHttp(url, { authorization: 'Bearer wrong' })).rejects.toThrow();
  });

  test('accepts requests for its public name, and for no other', async () => {
    const listener = vi.spyOn(Server.prototype, 'address');
    await startServer({
      publicUrl: 'https://mcp.example.com',
      authentication: { kind: 'bearer', token },
    });
    const { port } = listener.mock.results.at(-1)?.value as AddressInfo;
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const call = (host: string) =>
      post(`http://127.0.0.1:${port}/mcp`, ping, { host, authorization: `Bearer ${token}` });
    expect((await call('mcp.example.com')).status).toBe(200);
    expect((await call('other.example.com')).status).toBe(403);
  });
});

test('the IPv6 loopback address needs no authentication', async () => {
  // Without IPv6 support, only listening fails.
  const outcome = startServer({ host: '::1' }).then(({ url }) => url, String);
  expect(await outcome).toMatch(/^http:\/\/\[::1\]:\d+\/mcp$|this machine does not have/);
});

test('the address and every configured name are accepted, and no other [M29]', async () => {
  const given = { host: '127.0.0.2', allowedHosts: ['mcp.test'] };
  const { url } = await startServer({
    ...given,
    authentication: { kind: 'bearer', token: 'a-token' },
  });
  const { port, host: address } = new URL(url);
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const status = async (host: string) =>
    (await post(url, ping, { host, authorization: 'Bearer a-token' })).status;
  expect(new URL(url).hostname).toBe('127.0.0.2');
  for (const host of [address, `localhost:${port}`, 'mcp.test']) {
    expect(await status(host)).toBe(200);
  }
  expect(await status('other.test')).toBe(403);
});

test('an IPv6 address is in brackets, and a wildcard address becomes the loopback address', () => {
  const origins = ['::1', '::', '0.0.0.0'].map((host) =>
    originOf({ host, port: 0, allowedHosts: [] }, 80),
  );
  expect(origins).toEqual(['http://[::1]:80', 'http://127.0.0.1:80', 'http://127.0.0.1:80']);
});
