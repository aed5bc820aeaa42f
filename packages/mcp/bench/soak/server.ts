/** The server for the soak test: the probe service over HTTP, in a separate process that reports its metrics. */
import { readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Protocol } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createRuntime } from '../../src/adapters/runtime.ts';
import { createLog } from '../../src/core/context/log.ts';
import type { ServiceDefinition } from '../../src/core/definition/service-definition.ts';
import { startHttp } from '../../src/transports/http/http.ts';
import { createProbeService, type ProbeState } from '../../test/probes/probe-service.ts';

export interface Figures {
  /** Heap size in bytes after a garbage collection. */
  readonly heap: number;
  readonly rss: number;
  readonly descriptors: number;
  /** Protocol servers that were not garbage-collected: one for each session. */
  readonly sessions: number;
  /** User and system time since the start, in seconds. */
  readonly cpuSeconds: number;
  /** Number of log lines at `error`, and the first of them. */
  readonly errors: number;
  readonly firstError?: string;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Counts the objects themselves, because the map of sessions is private and does not show objects that leaked from
 * it.
 */
let held: WeakRef<object>[] = [];
const connect = Object.getOwnPropertyDescriptor(Protocol.prototype, 'connect')?.value as Connect;
type Connect = (this: object, transport: Transport) => Promise<void>;
Protocol.prototype.connect = function (transport) {
  held.push(new WeakRef(this));
  return connect.call(this, transport);
};

let errors = 0;
let firstError: string | undefined;
const log = createLog({
  level: 'info',
  stream: {
    write(line) {
      if (!line.includes('"level":"error"')) return;
      errors += 1;
      firstError ??= line;
    },
  },
});

/** Discards the events that the probe records for tests, which would grow for hours. */
function forgetful(service: ServiceDefinition<ProbeState>): ServiceDefinition<ProbeState> {
  return {
    ...service,
    async start() {
      const lifespan = await service.start();
      lifespan.state.events.push = () => 0;
      return lifespan;
    },
  };
}

const runtime = await createRuntime({
  service: forgetful(createProbeService()),
  version: '0',
  log,
});
const server = await startHttp({
  runtime,
  host: '127.0.0.1',
  port: 0,
  allowedHosts: [],
  allowedOrigins: [],
  authentication: { kind: 'none' },
  rateLimit: { requests: 1_000_000, seconds: 1 },
  ...(process.argv.includes('--sessions') && { sessions: { idleSeconds: 20, maxSessions: 200 } }),
});

function figures(): Figures {
  collectGarbage();
  held = held.filter((reference) => reference.deref() !== undefined);
  const { heapUsed, external, rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    heap: heapUsed + external,
    rss,
    descriptors: readdirSync('/proc/self/fd').length,
    sessions: held.length,
    cpuSeconds: (user + system) / 1e6,
    errors,
    ...(firstError !== undefined && { firstError }),
  };
}

process.on('message', () => process.send?.(figures()));
process.on('disconnect', () => process.exit());
process.send?.(server.url);
