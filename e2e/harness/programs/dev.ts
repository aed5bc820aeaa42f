/**
 * `npm run dev`: the platform in this process, and as its children the site with hot reload, the MCP
 * server and the example service, while that is what it asks. Only the site's end is the end of all.
 */
import './end-with-parent.mjs';

import { once } from 'node:events';
import { watch } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { explainPort, readSettings, type HarnessSettings } from './env';
import type { LedgerEntry } from '../internal-api/ledger';
import {
  MCP_SOURCE,
  settingsForExample,
  startExampleService,
  startMcpServer,
} from './mcp-programs';
import { startPlatform } from '../../platform';
import { startSite } from './site-process';
import { readable, violationsOf } from './terminal';
import { runWatched } from './watched-program';

try {
  await develop();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function develop(): Promise<void> {
  const { values } = parseArgs({ options: { inspect: { type: 'boolean', default: false } } });
  const settings = readSettings();
  const sitePort = await portFor('PORT', settings);
  const mcpPort = await portFor('MCP_PORT', settings);
  const examplePort = await portFor('EXAMPLE_SERVICE_PORT', settings);
  const exampleSettings = () => settingsForExample(`http://127.0.0.1:${examplePort}`);
  const platform = await startPlatform({
    port: settings.PLATFORM_PORT,
    internalPort: settings.PLATFORM_INTERNAL_PORT,
    siteUpstream: `http://127.0.0.1:${sitePort}`,
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
    port: sitePort,
    entry: 'app/server/dev.ts',
    nodeArguments: ['--import', 'tsx', ...(values.inspect ? ['--inspect'] : [])],
    env: { NODE_ENV: 'development' },
    // What does not compile yet may be mended first.
    readyWithinMs: Infinity,
    onLine: tellAs('site'),
    signal,
  });
  const others = [
    runWatched({
      source: MCP_SOURCE,
      start: (signal) =>
        startMcpServer({
          port: mcpPort,
          settings: exampleSettings(),
          onLine: tellAs('mcp'),
          signal,
        }),
      onReady: () => {
        tellAs('mcp')(`http://127.0.0.1:${mcpPort}/mcp`);
      },
      onFailure: (reason) => {
        tellAs('mcp')(
          `${firstLine(reason)} The site stays up; an edit of its source starts it again.`,
          'stderr',
        );
      },
      signal,
    }),
    ...(exampleSettings()
      ? [runExample({ port: examplePort, onLine: tellAs('example'), signal })]
      : []),
  ];
  try {
    const { name, exited } = await site;
    console.log(`\n  Open ${platform.platformUrl}\n`);
    const how = await exited;
    if (!interrupted.signal.aborted) throw new Error(`${name} ended (${how}).`);
  } catch (error) {
    // What it wrote stands above already.
    if (!interrupted.signal.aborted) throw new Error(firstLine(String(error)), { cause: error });
  } finally {
    over.abort();
    harness.close();
    await site.then(
      (program) => program.stop(),
      () => undefined,
    );
    await Promise.all(others);
    await platform.close();
  }
}

async function runExample(options: Parameters<typeof startExampleService>[0]): Promise<void> {
  try {
    const { exited } = await startExampleService(options);
    await exited;
  } catch (error) {
    if (!options.signal?.aborted) tellAs('example')(firstLine(String(error)), 'stderr');
  }
}

/** A program's lines, told apart from this program's own. */
function tellAs(name: string) {
  return (line: string, stream: 'stdout' | 'stderr' = 'stdout') => {
    process[stream].write(readable(line).replace(/^/gm, `${name} │ `) + '\n');
  };
}

/** A call is told when it begins and when it ends: each of its violations gets one line. */
function tellViolations() {
  const told = new WeakMap<LedgerEntry, number>();
  return (entry: LedgerEntry | null) => {
    if (entry?.kind !== 'call') return;
    const lines = violationsOf(entry);
    for (const line of lines.slice(told.get(entry))) tellAs('platform')(line, 'stderr');
    told.set(entry, lines.length);
  };
}

/** The simulator is this process: an edit of it waits for the next start. */
function tellEdits() {
  const told = new Set<string>();
  const watchers = ['e2e/harness', 'e2e/platform'].map((folder) => {
    const path = fileURLToPath(new URL(`../../../${folder}`, import.meta.url));
    return watch(path, { recursive: true }, (_, name) => {
      const file = `${folder}/${name}`;
      if (!/(?<!\.(test|spec))\.(ts|mjs|json)$/.test(file) || told.has(file)) return;
      told.add(file);
      tellAs('platform')(`${file} was edited: restart to use it.`);
    });
  });
  return {
    close() {
      for (const watcher of watchers) watcher.close();
    },
  };
}

function firstLine(text: string): string {
  return text.replace(/^Error: /, '').split('\n', 1)[0] ?? '';
}

/** A port seen to be free before anything starts; 0 means any free one. */
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
