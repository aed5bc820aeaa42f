/**
 * `npm run dev`: the platform in this process and the site, with hot reload, as its child.
 */
import { createServer } from 'node:net';

import { readSettings } from './env';
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
  if (!(await isFree(settings.PORT))) {
    throw new Error(`The site's port ${settings.PORT} is taken by another program; set PORT.`);
  }
  const platform = await startPlatform({
    port: settings.PLATFORM_PORT,
    internalPort: settings.PLATFORM_INTERNAL_PORT,
    siteUpstream: `http://127.0.0.1:${settings.PORT}`,
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
      port: settings.PORT,
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

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => {
      resolve(false);
    });
    probe.listen(port, '127.0.0.1', () => {
      probe.close(() => {
        resolve(true);
      });
    });
  });
}
