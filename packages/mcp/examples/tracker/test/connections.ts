/** Connects a client of either era to a service, over HTTP and over stdio. */
import { PassThrough } from 'node:stream';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { onTestFinished } from 'vitest';
import { createRuntime } from '../../../src/adapters/runtime.ts';
import { createLog } from '../../../src/core/context/log.ts';
import type { ServiceDefinition } from '../../../src/core/definition/service-definition.ts';
import { runStdio } from '../../../src/transports/stdio/stdio.ts';
import { clientTransport } from '../../../test/doubles/client-transport.ts';
import { startServer } from '../../../test/doubles/http-server.ts';

type Arguments = Record<string, unknown>;
type OnProgress = (report: { readonly message?: string | undefined }) => void;

export interface Connected {
  readonly client: Client | ModernClient;
  /** Calls `tracker_<name>`. */
  readonly call: (
    name: string,
    args?: Arguments,
    onprogress?: OnProgress,
  ) => Promise<{ readonly [field: string]: unknown; readonly structuredContent?: unknown }>;
}

type Connect = (service: ServiceDefinition) => Promise<Connected>;
type Attach = (client: Client | ModernClient, service: ServiceDefinition) => Promise<void>;

const overHttp: Attach = async (client, service) => {
  const { url } = await startServer({ service });
  if (client instanceof Client) await client.connect(clientTransport(url));
  else await client.connect(new StreamableHTTPClientTransport(new URL(url)));
};

const overStdio: Attach = async (client, service) => {
  const log = createLog({ level: 'silent' });
  const runtime = await createRuntime({ service, version: '1.2.3', log });
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const ended = runStdio({ runtime, stdin, stdout });
  onTestFinished(async () => {
    stdin.end();
    await ended;
    await runtime.stop();
  });
  // The server transport also works for a client, with input and output swapped.
  await client.connect(new StdioServerTransport(stdout, stdin));
};

const info = { name: 'test', version: '0' };

const older = (attach: Attach): Connect => {
  return async (service) => {
    const client = new Client(info);
    onTestFinished(() => client.close());
    await attach(client, service);
    return {
      client,
      call: (name, args = {}, onprogress = () => undefined) =>
        client.callTool({ name: `tracker_${name}`, arguments: args }, undefined, { onprogress }),
    };
  };
};

const modern = (attach: Attach): Connect => {
  return async (service) => {
    const client = new ModernClient(info, {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    });
    onTestFinished(() => client.close());
    await attach(client, service);
    return {
      client,
      call: (name, args = {}, onprogress = () => undefined) =>
        client.callTool({ name: `tracker_${name}`, arguments: args }, { onprogress }),
    };
  };
};

export const connections: readonly (readonly [name: string, connect: Connect])[] = [
  ['HTTP', older(overHttp)],
  ['HTTP, 2026-07-28', modern(overHttp)],
  ['stdio', older(overStdio)],
  ['stdio, 2026-07-28', modern(overStdio)],
];
