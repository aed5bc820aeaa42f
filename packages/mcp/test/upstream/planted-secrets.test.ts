/** Secrets planted in every input of the program must never reach a client, a log or another caller. */
import { afterAll, expect, test } from 'vitest';
import { rawId, serveOnEach, transports } from '../programs/served.ts';
import { json, reset, startUpstreamDouble } from '../../src/testing/upstream-double.ts';

const secrets = {
  PROBE_API_TOKEN: 'planted-service-token-1',
  MCP_BEARER_TOKEN: 'planted-bearer-token-2',
  UNRELATED_PASSWORD: 'planted-environment-3',
};
const words = {
  body: 'planted-body-4',
  header: 'planted-header-5',
  host: 'planted-host-6',
  field: 'planted-field-7',
};
const argument = 'planted-argument-8';

const upstream = await startUpstreamDouble();
const served = await serveOnEach({ ...secrets, PROBE_API_BASE_URL: `${upstream.url}/v1` });
afterAll(async () => {
  await served.close();
  await upstream.close();
});

const headers = {
  'x-token': words.header,
  'set-cookie': `session=${words.header}`,
  'www-authenticate': `Bearer realm="${words.header}"`,
  location: `http://${words.host}.test/`,
};
const person = { id: '1', name: 'Ada', email: 'a@b', password: words.field };
const leaky = [
  json({ error: words.body, token: secrets.PROBE_API_TOKEN }, 500, headers),
  json({ error: words.body }, 401, headers),
  json({ error: words.body }, 302, headers),
  json({ users: [{ ...person, id: { secret: words.body } }], total: 1 }, 200, headers),
  json({ users: [person], total: 1, api_key: words.field }, 200, headers),
  reset,
];

test.for(transports)(
  'over %s no planted secret is written anywhere [M31 M32]',
  async (transport) => {
    const { call, client, send, written } = served[transport];
    for (const reply of leaky) {
      upstream.reply(reply);
      await call('probe_search_users', { query: 'ada', response_format: 'json' });
      // Negative control: the credential was read from the environment and sent.
      expect(upstream.requests[0]?.headers.authorization).toBe(`Bearer ${secrets.PROBE_API_TOKEN}`);
      await client.readResource({ uri: 'file://documents/ada' }).catch(() => undefined);
      await client.listResources().catch(() => undefined);
      await client
        .complete({
          ref: { type: 'ref/resource', uri: 'config://settings/{key}' },
          argument: { name: 'key', value: '' },
        })
        .catch(() => undefined);
      await call('probe_connect_account');
    }
    // Errors repeat the names of fields, never their values.
    await call('probe_create_project', { name: 'x', tags: [{ token: argument }] });
    await call('probe_search_users', { query: 'ada', limit: argument });
    await send(`{"jsonrpc":"2.0","id":"${rawId}","method":"tools/call","params":"${argument}"}`);
    await send(`{"jsonrpc":"2.0","token":"${argument}`);

    const everything = written();
    for (const seen of ['Ada', 'Error: Invalid API authentication', 'A tool failed unexpectedly']) {
      expect(everything).toContain(seen);
    }
    const planted = [...Object.values(secrets), ...Object.values(words), argument];
    expect(planted.filter((secret) => everything.includes(secret))).toEqual([]);
    // Neither paths of source files nor the upstream's address.
    expect(everything).not.toContain(new URL(upstream.url).host);
  },
);

test('a rejection reveals nothing to a caller without a token [M31]', async () => {
  const { url } = served['stateless HTTP'];
  for (const authorization of ['', `Bearer ${argument}`, `Basic ${argument}`]) {
    const response = await fetch(`${url}?token=${argument}`, {
      method: 'POST',
      headers: { authorization, 'x-planted': argument, 'content-type': 'application/json' },
      body: JSON.stringify({ token: argument }),
    });
    expect(response.status).toBe(401);
    const reply = (await response.text()) + JSON.stringify([...response.headers]);
    expect(reply).not.toContain('planted');
  }
  expect(served['stateless HTTP'].written()).not.toContain(argument);
});
