/**
 * Searches client files and the site's log for secrets. `stage/listen.ts` searches every response. Runs last, when the
 * log is complete.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { namesPerson, secretsIn } from '../people/people.ts';
import { upstreamWords } from '../stage/listen.ts';
import type { Check } from './check.ts';

/** The internal address while `npm run boundary` builds the site: a script that contains it has it from the build. */
export const hostAtBuild = 'internal-address.invalid';

export const leaks: Check = {
  name: 'leaks',
  async run({ inventory, platform, site, siteLog, report, routes, seeded }) {
    const { host } = new URL(platform.internalUrl);
    for (const folder of inventory.clientFolders) {
      for (const name of await readdir(folder, { recursive: true })) {
        if (!/\.(js|mjs|css|html|json|map|txt)$/.test(name)) continue;
        const text = await readFile(path.join(folder, name), 'utf8');
        if ([host, hostAtBuild, 'PLATFORM_INTERNAL_URL'].some((word) => text.includes(word))) {
          const file = path.join(path.basename(folder), name);
          report.find(
            'leaks/internal-address',
            null,
            `${file}, which browsers can load, contains the internal address or the name of its setting.`,
          );
        }
      }
    }
    for (const line of siteLog().split('\n')) {
      const shown =
        [host, ...upstreamWords].find((word) => line.includes(word)) ??
        (secretsIn(line).size > 0 ? 'a field of a profile' : null) ??
        site?.accounts.secretIn(line) ??
        (site?.accounts.all.some(({ email }) => line.toLowerCase().includes(email))
          ? 'the e-mail address of a site account'
          : null) ??
        (namesPerson(line) ? 'the name or e-mail address of a visitor' : null);
      if (shown) {
        report.find(
          'leaks/log-line',
          null,
          `The site’s log contains ${shown}: ${withoutNumbers(line).slice(0, 200)}`,
        );
      }
    }
    for (const route of routes) {
      if (route.isLayout || route.addresses.get(seeded[0])?.length) report.checked('leaks', route);
    }
  },
};

/** Lines of different requests often differ only by ids, digests and numbers, and are reported once. */
function withoutNumbers(line: string): string {
  const isDigest = /^(?=.*\d)(?=.*[A-Z])(?=.*[a-z])/;
  return line
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '…')
    .replaceAll(/[\w-]{20,}/g, (token) => (isDigest.test(token) ? '…' : token))
    .replaceAll(/\d+/g, '…');
}
