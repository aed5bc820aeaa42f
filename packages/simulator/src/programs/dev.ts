/**
 * `npm run dev`: the platform in this process; as child processes the site with hot reload, and in a
 * repository that has one the MCP server, with the example service while no other one is configured. The
 * command ends when the site does.
 */
import './end-with-parent.mjs';

import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { explainPort, readSettings, type HarnessSettings } from './env.ts';
import type { LedgerEntry } from '../internal-api/ledger.ts';
import {
  MCP_EXAMPLES,
  MCP_PACKAGE_SOURCE,
  MCP_SOURCE,
  settingsForExample,
  startExampleService,
  startMcpServer,
} from './mcp-programs.ts';
import { startPlatform } from '../platform.ts';
import { loadSite } from './load-site.ts';
import { startSite } from './site-process.ts';
import { readable, violationsOf } from './terminal.ts';
import { runWatched } from './watched-program.ts';

const usage = `gatehouse-dev [--help] [--inspect]

Runs the simulated platform of e2e/site.ts and, with hot reload, the site in its frame; in a repository that has one,
the MCP server too.

  --inspect  lets a debugger attach to the site

The variables PORT, PLATFORM_PORT and PLATFORM_INTERNAL_PORT set the ports.`;

try {
  await develop();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function develop(): Promise<void> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      inspect: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const settings = readSettings();
  const { platform: definition, auth = 'platform' } = await loadSite();
  const sitePort = await portFor('PORT', settings);
  const mcp = existsSync(MCP_SOURCE) ? await mcpPorts(settings) : null;
  const platform = await startPlatform(definition, {
    port: settings.PLATFORM_PORT,
    internalPort: settings.PLATFORM_INTERNAL_PORT,
    siteUpstream: `http://127.0.0.1:${sitePort}`,
    auth,
  });
  platform.ledger.subscribe(tellViolations());
  const harness = tellEdits();

  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      interrupted.abort();
    });
  }
  const over = new AbortController();
  const signal = AbortSignal.any([interrupted.signal, over.signal]);
  const site = startSite({
    internalUrl: platform.internalUrl,
    siteOrigin: platform.siteOrigin,
    frameAncestors: platform.platformUrl,
    smtpUrl: platform.smtpUrl,
    port: sitePort,
    entry: 'app/server/dev.ts',
    nodeArguments: ['--import', 'tsx', ...(values.inspect ? ['--inspect'] : [])],
    env: { NODE_ENV: 'development' },
    // A compile error at the start may be fixed before the site is ready.
    readyWithinMs: Infinity,
    onLine: tellAs('site'),
    signal,
  });
  const others = mcp ? runMcp(mcp, signal) : Promise.resolve();
  try {
    const { name, exited } = await site;
    console.log(`\n  Open ${platform.platformUrl}\n`);
    const how = await exited;
    if (!interrupted.signal.aborted) throw new Error(`${name} ended (${how}).`);
  } catch (error) {
    // The program's own output is above already.
    if (!interrupted.signal.aborted) throw new Error(firstLine(String(error)), { cause: error });
  } finally {
    over.abort();
    harness.close();
    await site.then(
      (program) => program.stop(),
      () => undefined,
    );
    await others;
    await platform.close();
  }
}

interface McpPorts {
  server: number;
  example: number;
}

async function mcpPorts(settings: HarnessSettings): Promise<McpPorts> {
  return {
    server: await portFor('MCP_PORT', settings),
    example: await portFor('EXAMPLE_SERVICE_PORT', settings),
  };
}

/**
 * Runs the MCP server and the example service, restarting each after edits. Resolves when both have ended.
 */
async function runMcp({ server, example }: McpPorts, signal: AbortSignal): Promise<void> {
  const settings = () => settingsForExample(`http://127.0.0.1:${example}`);
  const onLine = tellAs('mcp');
  await Promise.all([
    runWatched({
      sources: [MCP_SOURCE, MCP_PACKAGE_SOURCE, MCP_EXAMPLES],
      start: (signal) => startMcpServer({ port: server, settings: settings(), onLine, signal }),
      onReady: () => {
        onLine(`http://127.0.0.1:${server}/mcp`);
      },
      onFailure: (reason) => {
        onLine(
          `${firstLine(reason)} The site stays up; an edit of its source starts it again.`,
          'stderr',
        );
      },
      signal,
    }),
    ...(settings() ? [runExample({ port: example, onLine: tellAs('example'), signal })] : []),
  ]);
}

/** Runs the example service, restarting it after edits of the examples. */
function runExample({ onLine, signal, ...options }: ExampleOptions): Promise<void> {
  return runWatched({
    sources: [MCP_EXAMPLES],
    start: (signal) => startExampleService({ ...options, onLine, signal }),
    onReady: () => undefined,
    onFailure: (reason) => {
      onLine(firstLine(reason), 'stderr');
    },
    signal,
  });
}

interface ExampleOptions {
  port: number;
  onLine: ReturnType<typeof tellAs>;
  signal: AbortSignal;
}

/** Prefixes a program's lines, to tell them from this program's own. */
function tellAs(name: string) {
  return (line: string, stream: 'stdout' | 'stderr' = 'stdout') => {
    process[stream].write(readable(line).replace(/^/gm, `${name} │ `) + '\n');
  };
}

/** The ledger emits a call when it begins and again when it ends: each of its violations gets one line. */
function tellViolations() {
  const reported = new WeakMap<LedgerEntry, number>();
  return (entry: LedgerEntry | null) => {
    if (entry?.kind !== 'call') return;
    const lines = violationsOf(entry);
    for (const line of lines.slice(reported.get(entry))) tellAs('platform')(line, 'stderr');
    reported.set(entry, lines.length);
  };
}

/** The simulator is this process, so an edit of it takes effect at the next start. */
function tellEdits() {
  // What this process has loaded; the files of the platform's page are read at each request.
  const isOfSimulator =
    /^(e2e\/(.*\/)?(site|platform|personas|features?)(?=\.)|app\/platform\/simulated\/|packages\/simulator\/src\/(?!browser\/)).*(?<!\.(test|spec)\.ts)(?<=\.(ts|mjs|json))$/;
  const reported = new Set<string>();
  const folders = ['e2e', 'app/platform/simulated', 'packages/simulator/src'].filter((folder) =>
    existsSync(folder),
  );
  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, (_, name) => {
      const file = path.join(folder, name ?? '').replaceAll(path.sep, '/');
      if (!isOfSimulator.test(file) || reported.has(file)) return;
      reported.add(file);
      tellAs('platform')(`${file} was edited: restart to use it.`);
    }),
  );
  return {
    close() {
      for (const watcher of watchers) watcher.close();
    },
  };
}

function firstLine(text: string): string {
  return text.replace(/^Error: /, '').split('\n', 1)[0] ?? '';
}

/** Checks that a port is free before anything starts; 0 means any free one. */
async function portFor(
  setting: 'PORT' | 'MCP_PORT' | 'EXAMPLE_SERVICE_PORT',
  settings: HarnessSettings,
): Promise<number> {
  const wanted = settings[setting];
  const probe = createServer().listen(wanted, '127.0.0.1');
  await once(probe, 'listening').catch(explainPort(setting, wanted));
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
