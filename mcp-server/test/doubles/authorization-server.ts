/** A real authorization server on loopback (`oidc-provider`), whose clients get JWTs for a resource. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { vi } from 'vitest';

export interface AuthorizationServer {
  readonly issuer: string;
  /** A token by the client credentials grant. The client's id is the subject. */
  token(client: 'anna' | 'bert', audience: string, scope?: string): Promise<string>;
  /** A token of any claims, signed with the server's key, or with one that it does not publish. */
  sign(claims: JWTPayload, key?: 'published' | 'foreign'): Promise<string>;
  readonly stop: () => Promise<void>;
}

const secret = 'a-client-secret-for-tests';

export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = {
    published: await generateKeyPair('ES256', { extractable: true }),
    foreign: await generateKeyPair('ES256'),
  };
  const jwk = {
    ...(await exportJWK(keys.published.privateKey)),
    kid: 'one',
    use: 'sig',
    alg: 'ES256',
  };
  // It warns that it speaks http and keeps nothing, which is what a test wants, and of Node 20.
  const noise = (['info', 'warn'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => undefined),
  );
  const { Provider } = await import('oidc-provider');
  const provider = new Provider(issuer, {
    clients: ['anna', 'bert'].map((id) => ({
      client_id: id,
      client_secret: secret,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      id_token_signed_response_alg: 'ES256',
    })),
    jwks: { keys: [jwk] },
    cookies: { keys: ['a-cookie-key-for-tests'] },
    ttl: { ClientCredentials: 600 },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, audience) => ({
          audience,
          scope: 'tools:call tools:admin',
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  });
  for (const spy of noise) spy.mockRestore();
  server.on('request', (request, response) => void provider.callback()(request, response));

  return {
    issuer,
    token: async (client, audience, scope = 'tools:call') => {
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${client}:${secret}`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience, scope }),
      });
      const answer = (await response.json()) as { access_token?: string };
      if (answer.access_token === undefined) throw new Error(JSON.stringify(answer));
      return answer.access_token;
    },
    sign: (claims, key = 'published') =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'at+jwt' })
        .sign(keys[key].privateKey),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
