/** What a page of another origin may ask for and read (CORS), at each path. */
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { startServer } from '../../../test/doubles/http-server.ts';

const allowed = 'https://app.example';
const foreign = 'https://other.example';
const oauth = { kind: 'oauth', issuer: 'http://127.0.0.1:1', audience: 'a', scopes: [] } as const;

/** Returns a function that sends a request of a page, and returns what its browser looks at. */
async function startFor(authentication: typeof oauth | { kind: 'none' } = oauth) {
  const { url } = await startServer({ authentication, allowedOrigins: [allowed] });
  const { origin: server } = new URL(url);
  return async (
    method: string,
    path: string,
    origin: string,
    more: Record<string, string> = {},
  ) => {
    const { statusCode, headers, body } = await request(server + path, {
      method: method as 'GET',
      headers: { origin, ...more },
    });
    await body.dump();
    return { status: statusCode, reader: headers['access-control-allow-origin'], headers };
  };
}

/** As browsers send it before the SDK's client looks for OAuth. */
const preflightOf = (method: string, headers: string) => ({
  'access-control-request-method': method,
  'access-control-request-headers': headers,
});

describe.each([oauth, { kind: 'none' } as const])('with authentication %j', (authentication) => {
  test.each([
    ['GET', '/.well-known/oauth-protected-resource', 'mcp-protocol-version'],
    ['GET', '/.well-known/oauth-protected-resource/mcp', 'mcp-protocol-version'],
    ['GET', '/.well-known/oauth-authorization-server', 'mcp-protocol-version'],
    ['POST', '/register', 'content-type'],
    ['POST', '/token', 'authorization'],
  ])(
    '%s %s is allowed to any page, which may read the response [M31]',
    async (method, path, name) => {
      const send = await startFor(authentication);
      for (const origin of [allowed, foreign]) {
        const preflight = await send('OPTIONS', path, origin, preflightOf(method, name));
        expect(preflight).toMatchObject({ status: 204, reader: '*' });
        expect(preflight.headers['access-control-allow-methods']).toContain(method);
        expect(preflight.headers['access-control-allow-headers']).toContain(name);
        expect(await send(method, path, origin)).toMatchObject({ reader: '*' });
      }
    },
  );

  test.each(['/healthz', '/readyz'])('%s may be read by allowed pages', async (path) => {
    const send = await startFor(authentication);
    const preflight = preflightOf('GET', 'mcp-protocol-version');
    expect(await send('OPTIONS', path, allowed, preflight)).toMatchObject({
      status: 204,
      reader: allowed,
    });
    expect(await send('GET', path, allowed)).toMatchObject({ status: 200, reader: allowed });
    expect(await send('PUT', path, allowed)).toMatchObject({ status: 405, reader: allowed });
    expect(await send('OPTIONS', path, foreign, preflight)).toMatchObject({
      status: 405,
      reader: undefined,
    });
    expect(await send('GET', path, foreign)).toMatchObject({ status: 200, reader: undefined });
  });
});

test('the endpoint lets an allowed page read why it was rejected [M31]', async () => {
  const send = await startFor();
  const preflight = preflightOf('POST', 'authorization,content-type,mcp-protocol-version');
  expect(await send('OPTIONS', '/mcp', allowed, preflight)).toMatchObject({
    status: 204,
    reader: allowed,
  });
  expect(await send('POST', '/mcp', allowed)).toMatchObject({ status: 401, reader: allowed });
  expect(await send('PATCH', '/mcp', allowed)).toMatchObject({ status: 405, reader: allowed });
  expect(await send('OPTIONS', '/mcp', foreign, preflight)).toMatchObject({
    status: 403,
    reader: undefined,
  });
});
