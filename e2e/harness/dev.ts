/**
 * `npm run dev`: the platform in this process, and as its children the site with hot reload, the MCP
 * server and the example service, while that is what it asks.
 */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { explainPort, readSettings, type HarnessSettings } from './env';
import { settingsForExample, startExampleService, startMcpServer } from './mcp-programs';
import { startPlatform } from './platform';
import type { Program } from './program';
import { startSite } from './site-process';

try {
  await develop();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function develop(): Promise<void> {
  const settings = readSettings();
  const sitePort = await portFor('PORT', settings);
  const mcpPort = await portFor('MCP_PORT', settings);
  const examplePort = await portFor('EXAMPLE_SERVICE_PORT', settings);
  const toExample = settingsForExample(`http://127.0.0.1:${examplePort}`);
  const platform = await startPlatform({
    port: settings.PLATFORM_PORT,
    internalPort: settings.PLATFORM_INTERNAL_PORT,
    siteUpstream: `http://127.0.0.1:${sitePort}`,
  });
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      interrupted.abort();
    });
  }
  const failed = new AbortController();
  const signal = AbortSignal.any([interrupted.signal, failed.signal]);
  const starting = [
    startSite({
      internalUrl: platform.internalUrl,
      siteOrigin: platform.siteOrigin,
      frameAncestors: platform.platformUrl,
      port: sitePort,
      entry: 'app/server/dev.ts',
      nodeArguments: ['--import', 'tsx'],
      env: { NODE_ENV: 'development' },
      onOutput: forwardAs('site'),
      signal,
    }),
    ...(toExample
      ? [startExampleService({ port: examplePort, onOutput: forwardAs('example'), signal })]
      : []),
    startMcpServer({ port: mcpPort, settings: toExample, onOutput: forwardAs('mcp'), signal }),
  ];
  try {
    const programs = await Promise.all(starting);
    console.log(`\n  Open ${platform.platformUrl}\n  MCP  http://127.0.0.1:${mcpPort}/mcp\n`);
    await Promise.race(programs.map(untilEnd));
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
  } finally {
    failed.abort();
    for (const start of await Promise.allSettled<Program>(starting)) {
      if (start.status === 'fulfilled') await start.value.stop();
    }
    await platform.close();
  }
}

async function untilEnd({ name, exited }: Program): Promise<never> {
  throw new Error(`${name} ended (${await exited}).`);
}

/** A program's output, line by line, told apart from this program's own. */
function forwardAs(name: string) {
  return (text: string, stream: 'stdout' | 'stderr') => {
    process[stream].write(text.replace(/^(?=.)/gm, `${name} │ `));
  };
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
