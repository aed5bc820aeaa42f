/**
 * Starts the program with an upstream service over each transport, connects the SDK's own client, and records all
 * output.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { StringDecoder } from 'node:string_decoder';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'vitest';
import { clientTransport } from '../doubles/client-transport.ts';
import { command, upstreamProbeProgram } from './started-program.ts';

export const transports = ['stdio', 'stateless HTTP', 'HTTP with sessions'] as const;
export type TransportName = (typeof transports)[number];

/** The id of raw messages. The SDK's client uses numbers. */
export const rawId = 'raw';

export interface RawReply {
  /** The single message, as received. */
  readonly text: string;
  readonly message: Readonly<Record<string, unknown>>;
}

export interface Served {
  readonly client: Client;
  /** The program's process. */
  readonly child: ChildProcessWithoutNullStreams;
  /** The URL of the endpoint; empty over stdio. */
  readonly url: string;
  /** Returns the result without the call's own id, which differs each time. */
  readonly call: (tool: string, args?: Record<string, unknown>) => Promise<CallToolResult>;
  /** Sends one raw message with {@link rawId} and returns its response. One at a time. */
  readonly send: (message: string) => Promise<RawReply>;
  /** Returns everything that the program has written so far: stdout, stderr and HTTP responses. */
  readonly written: () => string;
  close(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

/** Settings of every program: full logs, and practically no rate limit. */
const commonEnvironment = { LOG_LEVEL: 'debug', MCP_PORT: '0', MCP_RATE_LIMIT: '1000000' };

/** @param program The program to start. Default: the one with the upstream probe. */
export async function serve(
  transport: TransportName,
  environment: Environment,
  program = upstreamProbeProgram,
): Promise<Served> {
  const isStdio = transport === 'stdio';
  const child = spawn(command, [program, ...(isStdio ? [] : ['--http'])], {
    env: {
      PATH: process.env['PATH'],
      ...commonEnvironment,
      ...(transport === 'HTTP with sessions' && { MCP_SESSIONS: '1' }),
      ...environment,
    },
  });
  const ended = once(child, 'close');
  const parts: string[] = [];
  const record = (text: string) => {
    parts.push(text);
  };
  for (const stream of [child.stdout, child.stderr]) {
    const decoder = new StringDecoder();
    stream.on('data', (chunk: Buffer) => {
      record(decoder.write(chunk));
    });
  }
  const written = () => parts.join('');
  const client = new Client({ name: 'test', version: '0' });
  const line = isStdio ? overPipes(child) : await overHttp(child, environment, record);
  await client.connect(line.transport);
  // Once the client has the tool list, it validates each result by the tool's output schema.
  await client.listTools();
  return {
    client,
    child,
    url: line.url,
    written,
    async call(name, args = {}) {
      const { _meta, ...result } = await client.callTool({ name, arguments: args });
      expect(_meta).toEqual({ callId: expect.stringMatching(/^[\da-f-]{36}$/) as string });
      return result as CallToolResult;
    },
    send: line.send,
    async close() {
      await client.close();
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Starts the program on all three transports concurrently. */
export async function serveOnEach(
  environment: Environment,
  program?: string,
): Promise<Record<TransportName, Served> & { close(): Promise<void> }> {
  const all = await Promise.all(
    transports.map((transport) => serve(transport, environment, program)),
  );
  const byName = Object.fromEntries(transports.map((name, index) => [name, all[index]]));
  return {
    ...(byName as Record<TransportName, Served>),
    close: async () => {
      await Promise.all(all.map((served) => served.close()));
    },
  };
}

interface Line {
  readonly transport: Transport;
  readonly url: string;
  readonly send: Served['send'];
}

function overPipes(child: ChildProcessWithoutNullStreams): Line {
  return {
    url: '',
    // The server transport also works for a client, with input and output swapped.
    transport: new StdioServerTransport(child.stdout, child.stdin),
    send: (message) =>
      new Promise((resolve) => {
        let text = '';
        const decoder = new StringDecoder();
        const onData = (chunk: Buffer) => {
          text += decoder.write(chunk);
          for (const line of text.split('\n').slice(0, -1)) {
            const response = JSON.parse(line) as { id?: unknown };
            if (response.id !== rawId && response.id !== null) continue;
            child.stdout.off('data', onData);
            resolve({ text: line, message: response });
            return;
          }
        };
        child.stdout.on('data', onData);
        child.stdin.write(`${message}\n`);
      }),
  };
}

async function overHttp(
  child: ChildProcessWithoutNullStreams,
  { MCP_BEARER_TOKEN: token }: Environment,
  record: (text: string) => void,
): Promise<Line> {
  const url = await listening(child);
  const recording = async (...sent: Parameters<typeof fetch>) => {
    const response = await fetch(...sent);
    record(JSON.stringify([response.status, ...response.headers]));
    // A long-lived stream never completes, so its data are recorded as they arrive.
    const copy = response.clone().body?.pipeThrough(new TextDecoderStream());
    if (copy) void readAll(copy, record);
    return response;
  };
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  const transport = clientTransport(url, {
    fetch: recording,
    requestInit: { headers },
  });
  return {
    url,
    transport: transport,
    async send(message) {
      const response = await recording(url, {
        method: 'POST',
        body: message,
        headers: {
          ...headers,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(transport.sessionId !== undefined && { 'mcp-session-id': transport.sessionId }),
        },
      });
      const body = await response.text();
      const text = /^data: (.+)$/m.exec(body)?.[1] ?? body;
      return { text, message: JSON.parse(text) as RawReply['message'] };
    },
  };
}

async function readAll(stream: ReadableStream<string>, record: (text: string) => void) {
  try {
    for await (const text of stream) record(text);
  } catch {
    // The stream was closed together with the client.
  }
}

/** Resolves with the URL that the program reports on startup. */
export function listening(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const [, url] = /"url":"(http:[^"]+)"/.exec(text) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', () => {
      reject(new Error(`It does not listen: ${text}`));
    });
  });
}
