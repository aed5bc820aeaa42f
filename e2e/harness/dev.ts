/**
 * `npm run dev`: the platform in this process and the site, with hot reload, as its child.
 */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { explainPort, readSettings } from './env';
import { startPlatform } from './platform';
import { startSite } from './site-process';

try {
  await develop();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function develop(): Promise<void> {
  const settings = readSettings();
  const sitePort = await portFor(settings.PORT);
  const platform = await startPlatform({
    port: settings.PLATFORM_PORT,
    internalPort: settings.PLATFORM_INTERNAL_PORT,
    siteUpstream: `http://127.0.0.1:${sitePort}`,
  });
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      ending.abort();
    });
  }
  try {
    const site = await startSite({
      internalUrl: platform.internalUrl,
      siteOrigin: platform.siteOrigin,
      frameAncestors: platform.platformUrl,
      port: sitePort,
      entry: 'app/server/dev.ts',
      nodeArguments: ['--import', 'tsx'],
      env: { NODE_ENV: 'development' },
      onOutput: forward,
      signal: ending.signal,
    });
    console.log(`\n  Open ${platform.platformUrl}\n`);
    const how = await site.exited;
    throw new Error(`The site ended (${how}).`);
  } catch (error) {
    if (!ending.signal.aborted) throw error;
  } finally {
    await platform.close();
  }
}

/** The site's output, line by line, told apart from this program's own. */
function forward(text: string, stream: 'stdout' | 'stderr'): void {
  process[stream].write(text.replace(/^(?=.)/gm, 'site │ '));
}

/** The site's port, seen to be free before anything starts; 0 means any free one. */
async function portFor(wanted: number): Promise<number> {
  const probe = createServer().listen(wanted, '127.0.0.1');
  await once(probe, 'listening').catch(explainPort('PORT', wanted));
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
