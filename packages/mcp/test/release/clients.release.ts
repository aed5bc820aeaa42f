/**
 * Each client that people use, as npm has it, against the program over stdio and HTTP. What a client does not do stands
 * here with the reason, by the specification; what it does after all fails, so that the list stays true.
 */
import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { listening } from '../programs/served.ts';
import { args as program, command } from '../programs/started-program.ts';

const transports = ['stdio', 'HTTP'] as const;
type Transport = (typeof transports)[number];

const uses = [
  ...(['list', 'call', 'structured', 'error', 'progress', 'question', 'resource'] as const),
  ...(['prompt', 'cancel', 'resume', 'shutdown'] as const),
];
type Use = (typeof uses)[number];

interface ClientUnderTest {
  /** What npm installs. Without a tag, it would choose an older version that runs on the Node.js in use. */
  readonly packages: readonly string[];
  /** Its module in `clients/`, and the options for it. */
  readonly module: string;
  readonly options?: object;
  /** Default: both. */
  readonly over?: readonly Transport[];
  /** Whether it needs a newer Node.js than this project supports. */
  readonly isForNewerNode?: boolean;
  /** What it does not do, and why. */
  readonly lacks?: Partial<Record<Use, string>>;
}

const offersNoForm = 'It declares no elicitation, which is up to a client.';
const wantsNoProgress = 'It sends no progressToken, and who sends none gets no progress.';
const noResumption =
  'MCP 2026-07-28 has no resumption: hanging up cancels the call, and the client calls again.';

const clients: Readonly<Record<string, ClientUnderTest>> = {
  'SDK 1.10': {
    packages: ['@modelcontextprotocol/sdk@1.10.x'],
    module: 'sdk-v1',
    lacks: { question: 'It is of MCP 2025-03-26, which has no elicitation.' },
  },
  'SDK 1.17': {
    packages: ['@modelcontextprotocol/sdk@1.17.x'],
    module: 'sdk-v1',
    lacks: {
      resume:
        'A client should resume a broken stream by a GET, and it does so for the stream of a GET alone.',
    },
  },
  'SDK 1.x': { packages: ['@modelcontextprotocol/sdk@1'], module: 'sdk-v1' },
  'SDK 2.x, 2025': { packages: ['@modelcontextprotocol/client@2'], module: 'sdk-v2' },
  'SDK 2.x, 2026-07-28': {
    packages: ['@modelcontextprotocol/client@2'],
    module: 'sdk-v2',
    options: { revision: '2026-07-28' },
    lacks: { resume: noResumption },
  },
  'mcp-remote': {
    packages: ['mcp-remote@latest', '@modelcontextprotocol/sdk@1'],
    module: 'sdk-v1',
    options: { bridged: true },
    over: ['HTTP'],
  },
  Inspector: {
    packages: ['@modelcontextprotocol/inspector@latest'],
    module: 'inspector',
    isForNewerNode: true,
    lacks: {
      progress: wantsNoProgress,
      question: offersNoForm,
      cancel: 'Its command line has no way to cancel, which is up to a client.',
    },
  },
  '@ai-sdk/mcp': {
    packages: ['@ai-sdk/mcp@latest', 'zod@4'],
    module: 'ai-sdk',
    isForNewerNode: true,
    lacks: { progress: wantsNoProgress, resume: noResumption },
  },
  '@langchain/mcp-adapters': {
    packages: ['@langchain/mcp-adapters@latest', '@langchain/core', '@langchain/langgraph'],
    module: 'langchain',
    lacks: { question: offersNoForm },
  },
};

test.for(
  Object.entries(clients).flatMap(([name, { over = transports }]) =>
    over.map((transport) => [name, transport] as const),
  ),
)('%s does over %s all that it can [M28 M29]', async ([name, transport]) => {
  const client = clients[name];
  if (!client) throw new Error(`There is no client ${name}`);
  const { folder, node } = await install(client);
  const server = await (transport === 'stdio' ? overStdio(folder) : overHttp());
  const target = { client: client.module, options: client.options, ...server.target };
  const { stdout } = await promisify(execFile)(node, ['run.js', JSON.stringify(target)], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder },
  });
  const outcomes = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<Use, string | null>;
  const log = await server.log();
  if (!/"probe_wait_long","status":"cancelled"/.test(log)) outcomes.cancel ??= 'It told nobody.';
  if (!log.includes('The lifespan has ended')) outcomes.shutdown ??= 'The program goes on.';
  // What cannot be taken up again must not go on, unseen.
  if (transport === 'HTTP' && client.lacks?.resume === noResumption) {
    expect(log).toContain('"tool":"probe_wait_briefly","status":"cancelled"');
  }
  const { resume, ...others } = outcomes;
  // Nothing breaks on its way over stdio.
  expect(transport === 'stdio' ? others : { resume, ...others }).toEqual(
    Object.fromEntries(
      uses
        .filter((use) => use !== 'resume' || transport === 'HTTP')
        .map((use) => [use, client.lacks?.[use] === undefined ? null : expect.any(String)]),
    ),
  );
});

/** Installs the client in an empty folder, with what uses it beside it. */
async function install({ packages, isForNewerNode = false }: ClientUnderTest) {
  const folder = await mkdtemp(path.join(tmpdir(), 'mcp-client-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(fileURLToPath(new URL('clients', import.meta.url)), folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  // By its own name: the package `node` only fetches it.
  const newer = `node-${process.platform}-${process.arch}`;
  const wanted = isForNewerNode ? [...packages, `${newer}@24`] : packages;
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  // Without the settings of the npm that runs this: it would refuse what is for a newer Node.js.
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  await promisify(execFile)('npm', ['install', ...flags, ...wanted], { cwd: folder, env });
  const node = path.join(folder, 'node_modules', newer, 'bin/node');
  return { folder, node: isForNewerNode ? node : command };
}

/** The client starts the program. Its log is also written to a file, because some clients show it to nobody. */
async function overStdio(folder: string) {
  const log = path.join(folder, 'server.log');
  const recording = path.join(folder, 'record.js');
  await writeFile(
    recording,
    `import { appendFileSync } from 'node:fs';
    const write = process.stderr.write.bind(process.stderr);
    process.stderr.write = (text, ...more) => {
      appendFileSync(${JSON.stringify(log)}, text);
      return write(text, ...more);
    };`,
  );
  const target = { command, args: ['--import', recording, ...program] };
  return { target, log: () => readFile(log, 'utf8') };
}

/** With sessions, which a client of the era of 2025 needs to be asked, and to resume. */
async function overHttp() {
  const child = spawn(command, [...program, '--http'], {
    env: { PATH: process.env['PATH'], MCP_PORT: '0', MCP_SESSIONS: '1' },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const url = await listening(child);
  const cutUrl = await through(url, (sockets) => {
    for (const socket of sockets) socket.destroy();
  });
  const endUrl = await through(url, () => child.kill('SIGTERM'));
  return { target: { url, cutUrl, endUrl }, log: () => Promise.resolve(log) };
}

/** A way to the server on which something happens while the first call of a tool that waits is running. */
async function through(url: string, happens: (sockets: readonly Socket[]) => void) {
  let isCalled = false;
  const proxy = createServer((client) => {
    const server = connect(Number(new URL(url).port), '127.0.0.1');
    const sockets = [client, server] as const;
    client.on('data', (chunk: Buffer) => {
      if (isCalled || !chunk.includes('probe_wait_briefly')) return;
      isCalled = true;
      setTimeout(happens, 150, sockets);
    });
    client.pipe(server).pipe(client);
    client.on('close', () => server.destroy()).on('error', () => undefined);
    server.on('close', () => client.destroy()).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
}
