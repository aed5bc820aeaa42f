import { request } from 'undici';
import { expect, test } from 'vitest';
import { startGateServer } from '../../../test/doubles/gate-server.ts';
import { authenticate } from './authentication.ts';

const token = 'a-secret-of-the-owner';

async function callWith(headers: Record<string, string>, path = '') {
  const { url } = await startGateServer(authenticate({ kind: 'bearer', token }));
  const response = await request(url + path, { headers });
  return {
    status: response.statusCode,
    challenge: response.headers['www-authenticate'],
    body: await response.body.text(),
  };
}

test('the correct token is accepted [M31]', async () => {
  for (const authorization of [`Bearer ${token}`, `bearer   ${token}`]) {
    const response = await callWith({ authorization });
    expect(response.status).toBe(200);
    expect(JSON.parse(response.body)).toMatchObject({ caller: 'bearer' });
  }
});

test.each([
  'Bearer wrong',
  `Bearer ${token}x`,
  `Bearer ${token.slice(0, -1)}`,
  `Bearer ${token.toUpperCase()}`,
  `Bearer ${'x'.repeat(8_000)}`,
])('"%.40s" is rejected as an invalid token [M31]', async (authorization) => {
  const { status, challenge, body } = await callWith({ authorization });
  expect(status).toBe(401);
  expect(challenge).toBe('Bearer error="invalid_token"');
  expect(JSON.parse(body)).toEqual({
    jsonrpc: '2.0',
    error: {
      code: -32_000,
      message: 'Unauthorized: the token is none that MCP_BEARER_TOKEN or MCP_BEARER_TOKENS has.',
    },
    id: null,
  });
});

test.each(['', 'Bearer', 'Bearer ', `Basic ${token}`, token, `Bearer ${token} ${token}`])(
  '"%s" is not a bearer token: rejected with the scheme to use [M31]',
  async (authorization) => {
    const { status, challenge, body } = await callWith({ authorization });
    expect(status).toBe(401);
    expect(challenge).toBe('Bearer');
    expect(body).toContain('needs the header \\"Authorization: Bearer <token>\\"');
  },
);

test('a token in the query string is ignored [M31]', async () => {
  expect((await callWith({}, `?access_token=${token}`)).status).toBe(401);
});

test('without authentication, every caller is the local caller', async () => {
  const { url } = await startGateServer(authenticate({ kind: 'none' }));
  const response = await request(url);
  expect(await response.body.json()).toMatchObject({ caller: 'local' });
});

test('each named token identifies its own caller, and any other token is rejected [M31]', async () => {
  const tokens = new Map([
    ['anna', 'annas-token'],
    ['bert', 'berts-token'],
  ]);
  const { url } = await startGateServer(authenticate({ kind: 'named bearers', tokens }));
  const callerOf = async (given: string) => {
    const { body } = await request(url, { headers: { authorization: `Bearer ${given}` } });
    return body.json();
  };
  expect(await callerOf('annas-token')).toMatchObject({ caller: 'bearer:anna' });
  expect(await callerOf('berts-token')).toMatchObject({ caller: 'bearer:bert' });
  for (const wrong of ['anna', 'bearer:anna', 'annas-tokenx']) {
    expect(await callerOf(wrong)).toMatchObject({
      error: { message: expect.stringMatching(/^Unauthorized: the token is none/) as string },
    });
  }
});
