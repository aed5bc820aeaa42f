/** MCP over HTTP (M29): the listener, its routes and its shutdown. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serializePipelined, stopAccepting } from '@gatehouse/http';
import { RequestStates } from '../../adapters/questions/request-state.ts';
import type { Runtime } from '../../adapters/runtime.ts';
import { RunningCalls } from '../../core/context/running-calls.ts';
import { listenProblem, originOf, servedHosts, type AddressOptions } from '../listening/address.ts';
import { authenticate, type Authentication } from '../authentication/authentication.ts';
import { refusal, sendResponse, type Exchange, type Middleware } from '../gate/exchange.ts';
import { endpointPath } from '../gate/endpoint.ts';
import { createGate, inOrder } from '../gate/gate.ts';
import { checkHost } from '../gate/header-checks.ts';
import { joinRepeated } from '../gate/repeated-headers.ts';
import { resourceMetadata, type OAuthOptions } from '../authentication/oauth.ts';
import { IssuerError } from '../authentication/oauth-keys.ts';
import { checkToolScopes, scopesOfTools } from '../authentication/tool-scopes.ts';
import { createRateLimit, type RateLimit, type RateLimitOptions } from '../gate/rate-limit.ts';
import { watchConnections } from '../listening/connections.ts';
import { createEras } from './eras.ts';
import { readPath } from './request-target.ts';
import { createReadiness } from './health.ts';
import { createSideRoutes, metadataPath } from './side-routes.ts';
import { respondToClientError } from './client-error.ts';
import { createSecretPages, secretPagePath } from '../secret-page/secret-page.ts';
import { createModern } from '../modern/modern.ts';
import { createSessions, type SessionOptions } from '../sessions/sessions.ts';
import { createStateless } from '../sessions/stateless.ts';
import { shareChanges } from '../redis/shared-changes.ts';
import { refuseOpenAddress, startWarnings } from './start-checks.ts';

export interface HttpOptions extends AddressOptions {
  readonly runtime: Runtime;
  /** As browsers send them: `https://app.example.com`. */
  readonly allowedOrigins: readonly string[];
  readonly authentication:
    | Exclude<Authentication, { kind: 'oauth' }>
    | ({ readonly kind: 'oauth' } & Pick<OAuthOptions, 'issuer' | 'audience' | 'scopes'>);
  readonly rateLimit: Pick<RateLimitOptions, 'requests' | 'seconds' | 'redisUrl'>;
  /** If absent, the server is stateless. */
  readonly sessions?: SessionOptions | undefined;
  readonly maxBodyBytes?: number;
  /** Secrets that encrypt the state of questions. The first encrypts, each decrypts. The same in all processes. */
  readonly stateKeys?: readonly string[];
  /** How long calls may take to finish at shutdown, in milliseconds. */
  readonly drainMs?: number;
  /** How long a client may leave a response unread, in milliseconds. */
  readonly stallMs?: number;
  /** Time limit for receiving a request's head, in milliseconds. */
  readonly headMs?: number;
  /** Time limit for receiving a whole request, head and body, in milliseconds. */
  readonly requestMs?: number;
}

export interface HttpServer {
  readonly url: string;
  /** Accepts no more connections, lets calls finish, then stops. A second call aborts them at once. */
  readonly close: () => Promise<void>;
}

const cutMs = 500;

const internalError = refusal(500, 'Internal error.', {}, -32_603);

/**
 * Starts the server. Resolves once it is listening.
 *
 * @throws Error with one sentence if a setting is invalid or the port is unavailable.
 */
export async function startHttp(options: HttpOptions): Promise<HttpServer> {
  const { runtime } = options;
  const { log } = runtime;
  refuseOpenAddress(options);
  const server = createListener(options);
  const limit = await createRateLimit({
    ...options.rateLimit,
    keyPrefix: runtime.service.name,
    onRedisLost: (error) => {
      log.warn('Redis is unreachable: requests are counted per process', { error });
    },
  });
  const stopSharing = await shareChanges(runtime, options.rateLimit.redisUrl);
  const release = (): void => {
    limit.close();
    stopSharing();
  };
  const port = await listen(server, options).catch((error: unknown) => {
    release();
    throw error;
  });
  const connections = watchConnections(server, options.stallMs ?? 30_000);
  for (const warning of startWarnings(options, port)) log.warn(warning);
  const origin = originOf(options, port);
  let ending: Promise<void> | undefined;
  let isHurried = false;
  const routes = createRoutes(options, limit, origin, () => ending !== undefined);
  const { running } = routes;
  // No `await` since the server is listening: no request can have arrived yet.
  server.on(
    'request',
    serializePipelined((request, response) => {
      const exchange: Exchange = { request, response, startedAt: performance.now() };
      if (ending) response.setHeader('connection', 'close');
      routes.respond(exchange).catch((error: unknown) => {
        log.error('A request failed', { error });
        sendResponse(exchange, internalError);
      });
    }),
  );

  const end = async (): Promise<void> => {
    const { closed } = await stopAccepting(server);
    runtime.subscriptions.close();
    connections.endHalfSent();
    await running.finished(isHurried ? 0 : (options.drainMs ?? 10_000));
    routes.cut();
    // For the client to have it before its connection is closed.
    await running.finished(cutMs);
    await routes.close();
    release();
    connections.stop();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `${origin}${endpointPath}`,
    close: () => {
      if (ending) {
        isHurried = true;
        running.giveUp();
      }
      return (ending ??= end());
    },
  };
}

function createListener({ headMs = 10_000, requestMs = 30_000 }: HttpOptions): Server {
  const server = createServer({
    headersTimeout: headMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: headMs / 2,
    // Longer than the idle timeout of reverse proxies, which otherwise may reuse a connection that was just closed.
    keepAliveTimeout: 75_000,
    // With duplicate Host or credential headers, a proxy in front of this server may have used the other one.
    joinDuplicateHeaders: true,
  });
  return server.on('clientError', respondToClientError);
}

/** The endpoint behind its gate, the pages for secrets, and the routes beside them. */
function createRoutes(
  options: HttpOptions,
  limit: RateLimit,
  origin: string,
  isDraining: () => boolean,
) {
  const { runtime, authentication, sessions } = options;
  const { log, limits, service } = runtime;
  const lifetimeMs = limits.elicitationMs;
  const pages =
    sessions && authentication.kind !== 'oauth'
      ? createSecretPages({ title: service.title, origin: () => origin, lifetimeMs })
      : undefined;
  const states = new RequestStates({
    keys: options.stateKeys ?? [],
    serverName: service.name,
    lifetimeMs,
    ...(limit.once && { once: limit.once }),
  });
  const endpoint = createEras(
    sessions ? createSessions(runtime, sessions, pages) : createStateless(runtime),
    createModern(runtime, { states, ...(pages && { secretPages: pages }) }),
  );
  const gate = createEndpointGate(options, limit, origin, endpoint.methods);
  const pageGate = inOrder([joinRepeated(), checkHost(servedHosts(options))]);
  const side = createSideRoutes({
    kind: authentication.kind,
    readiness: createReadiness((signal) => runtime.isReady(signal), isDraining),
    metadata:
      authentication.kind === 'oauth'
        ? resourceMetadata(
            `${origin}${endpointPath}`,
            authentication,
            scopesOfTools(runtime.registry),
          )
        : undefined,
    allowedOrigins: options.allowedOrigins,
  });
  const running = new RunningCalls();
  /** Requests without a complete response. */
  const open = new Set<Exchange>();

  function count(exchange: Exchange): void {
    running.begin();
    open.add(exchange);
    exchange.response.once('close', () => {
      running.end();
      open.delete(exchange);
    });
  }

  return {
    running,
    async respond(exchange: Exchange): Promise<void> {
      const { request, response } = exchange;
      const path = readPath(request);
      if (path === endpointPath) {
        // With a Last-Event-ID, a GET waits for the response to a call as well.
        if (request.method === 'POST' || request.headers['last-event-id']) count(exchange);
        const rejection = await gate(exchange);
        if (rejection) {
          log.debug('Request rejected', { status: rejection.status, caller: exchange.caller?.id });
          sendResponse(exchange, rejection);
        } else if (!response.destroyed) {
          await endpoint.handle(exchange);
        }
      } else if (path.startsWith(secretPagePath) && pages) {
        const rejection = await pageGate(exchange);
        if (rejection) sendResponse(exchange, rejection);
        else await pages.handle(request, response);
      } else {
        sendResponse(exchange, await side(path, exchange));
      }
    },
    cut(): void {
      for (const { cut } of open) cut?.();
    },
    async close(): Promise<void> {
      await endpoint.close();
      pages?.close();
    },
  };
}

function createEndpointGate(
  options: HttpOptions,
  limit: RateLimit,
  origin: string,
  methods: readonly string[],
): Middleware {
  const { runtime, authentication } = options;
  const { log, registry } = runtime;
  const metadataUrl = `${origin}${metadataPath}${endpointPath}`;
  const isOAuth = authentication.kind === 'oauth';
  return createGate({
    allowedHosts: servedHosts(options),
    allowedOrigins: options.allowedOrigins,
    methods,
    authentication: authenticate(
      isOAuth
        ? {
            ...authentication,
            metadataUrl,
            onUnreachable: (error) => {
              if (error instanceof IssuerError) log.error(error.message);
              else log.warn('The authorization server is unreachable', { error });
            },
            onMismatch: (text) => {
              log.warn(text);
            },
          }
        : authentication,
    ),
    authorization: isOAuth
      ? checkToolScopes(registry, { metadataUrl, scopes: authentication.scopes })
      : undefined,
    rateLimit: limit.middleware,
    maxBodyBytes: options.maxBodyBytes ?? 1024 * 1024,
  });
}

function listen(server: Server, { host, port }: AddressOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new Error(listenProblem(error, { host, port })));
    });
    server.listen(port, host, () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}
