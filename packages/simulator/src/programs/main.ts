/** `npm run platform`: only the simulator, in front of a site that runs elsewhere. */
import { parseArgs } from 'node:util';
import { readSettings } from './env.ts';
import { startPlatform } from '../platform.ts';
import { loadSite } from './load-site.ts';

const usage = `gatehouse-platform [--help]

Runs the simulated platform of e2e/site.ts, in front of a site that runs elsewhere. The variables PLATFORM_PORT,
PLATFORM_INTERNAL_PORT and SITE_UPSTREAM set its ports and the site's address.`;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
  if (values.help) {
    console.log(usage);
    return;
  }
  const settings = readSettings();
  const site = await loadSite();
  const platform = await startPlatform(site.platform, {
    port: settings.PLATFORM_PORT,
    internalPort: settings.PLATFORM_INTERNAL_PORT,
    siteUpstream: settings.SITE_UPSTREAM,
    auth: site.auth ?? 'platform',
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void platform.close());
  }
  // A built site runs in production mode, where accounts need both.
  const forAccounts =
    site.auth === 'platform' ? '' : '    AUTH_SECRET=$(openssl rand -base64 32) SMTP_URL=off \\\n';
  console.log(`
  The platform is running.

    Page       ${platform.platformUrl}
    Site       ${platform.siteOrigin}  →  ${settings.SITE_UPSTREAM}
    Internal   ${platform.internalUrl}

  Build the site with npm run build, and start it with the identity preload:

    PORT=${new URL(settings.SITE_UPSTREAM).port || '80'} PLATFORM_INTERNAL_URL=${platform.internalUrl} \\
    SITE_ORIGIN=${platform.siteOrigin} PLATFORM_FRAME_ANCESTORS=${platform.platformUrl} \\
${forAccounts}    node --import @gatehouse/simulator/preload build/server/main.js
`);
}
