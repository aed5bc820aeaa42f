/**
 * Starts the server for the conformance suite: the package's core, adapter, gate and either transport, with the
 * suite's own service.
 */
import { createRuntime } from '../src/adapters/runtime.ts';
import { createLog } from '../src/core/context/log.ts';
import { startHttp, type HttpServer } from '../src/transports/http/http.ts';
import { extensionFor } from './extension.ts';
import type { Mode } from './modes.ts';
import { createConformanceService } from './conformance-service.ts';

/** Listens on a free port of loopback without authentication. */
export async function startConformanceServer(mode: Mode): Promise<HttpServer> {
  const runtime = await createRuntime({
    service: createConformanceService(),
    version: '0.0.0',
    log: createLog({ level: 'silent' }),
    extension: extensionFor(mode),
  });
  return startHttp({
    runtime,
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    allowedOrigins: [],
    authentication: { kind: 'none' },
    rateLimit: { requests: 10_000, seconds: 60 },
    ...(mode === 'sessions' && { sessions: { idleSeconds: 60, maxSessions: 100 } }),
    drainMs: 1_000,
  });
}
