/** A real authorization server on loopback (`oidc-provider`) that issues JWTs for a resource. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { vi } from 'vitest';

export interface AuthorizationServer {
  readonly issuer: string;
  /** Returns a token by the client credentials grant. Its subject is the client's id. */
  token(client: 'anna' | 'bert', audience: string, scope?: string): Promise<string>;
  /** Returns a token with any claims, signed with the server's key or with an unpublished one. */
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
  // `oidc-provider` warns about http, in-memory storage and Node.js 20, all of which are intended here.
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
      const body = (await response.json()) as { access_token?: string };
      if (body.access_token === undefined) throw new Error(JSON.stringify(body));
      return body.access_token;
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
