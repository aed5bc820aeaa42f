/** A real SDK client connected in memory to a server for the probe service. */
import { Client, type ClientOptions } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { onTestFinished } from 'vitest';
import type { Connection } from '../../src/adapters/connection.ts';
import { createRuntime, type Limits, type RuntimeOptions } from '../../src/adapters/runtime.ts';
import { McpServer } from '../../src/adapters/mcp-server.ts';
import type { Caller } from '../../src/core/context/tool-context.ts';
import type { ServiceDefinition } from '../../src/core/definition/service-definition.ts';
import { createLog } from '../../src/core/context/log.ts';
import { createProbeService, type ProbeState } from '../probes/probe-service.ts';

export interface ConnectOptions {
  readonly connection?: Partial<Connection>;
  readonly caller?: Caller;
  readonly limits?: Partial<Limits>;
  readonly client?: ClientOptions;
  readonly hooks?: RuntimeOptions['hooks'];
  /** Replaces the probe service. */
  readonly service?: ServiceDefinition<ProbeState>;
}

/** Closed after the test. `state` is the service's own; `logged` contains the lines of the server's log. */
export async function connectClient(options: ConnectOptions = {}) {
  const logged: string[] = [];
  const runtime = await createRuntime({
    service: options.service ?? createProbeService(),
    version: '1.2.3',
    log: createLog({ level: 'debug', stream: { write: (line) => void logged.push(line) } }),
    ...(options.limits && { limits: options.limits }),
    ...(options.hooks && { hooks: options.hooks }),
  });
  const server = new McpServer(
    runtime,
    { mode: 'session', ...options.connection },
    options.caller ?? { id: 'ada' },
  );
  const client = new Client({ name: 'test', version: '0' }, options.client);
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  server.connect(serverEnd);
  serverEnd.onmessage = (message) => {
    server.receive(message);
  };
  serverEnd.onclose = () => {
    server.disconnect();
  };
  await serverEnd.start();
  await client.connect(clientEnd);
  onTestFinished(async () => {
    await client.close();
    await runtime.stop();
  });
  return { client, clientEnd, server, runtime, logged, state: runtime.state as ProbeState };
}

/** Returns the text of a result. */
export function textOf(result: unknown): string {
  const { content } = result as { content: readonly { text?: string }[] };
  return content.map(({ text = '' }) => text).join('\n');
}
