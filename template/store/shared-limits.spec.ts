/** Two processes of the site on one store share the limits of the accounts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, siteEntry, siteSettings, test } from '../../e2e/fixtures';
import { newPerson, signUpByHttp } from '../../e2e/flows/accounts/person';
import { formRequest, httpVisitor } from '@gatehouse/simulator/http';
import { startSite } from '@gatehouse/simulator/programs';
import { hasPostgres, postgresDatabases } from '@gatehouse/store/testing/postgres-server';

interface SharedStore {
  url: string;
  remove: () => Promise<void>;
}

const stores: readonly [string, () => Promise<SharedStore | null>][] = [
  [
    'a file',
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'shared-limits-'));
      const remove = () => rm(folder, { recursive: true, force: true });
      return { url: `file:${path.join(folder, 'site.db')}`, remove };
    },
  ],
  [
    'PostgreSQL',
    async () => {
      if (!hasPostgres) return null;
      const databases = await postgresDatabases();
      return { url: await databases.newDatabase(), remove: () => databases.stop() };
    },
  ],
];

for (const [kind, open] of stores) {
  test(`five wrong passwords at each of two processes on ${kind} lock the account in both`, async ({
    stack,
    platform,
  }) => {
    const shared = await open();
    test.skip(shared === null, 'There is no PostgreSQL.');
    if (!shared) return;
    const env = { DATABASE_URL: shared.url };
    const start = () => startSite({ ...siteSettings(platform), entry: siteEntry, env });
    const sites = await Promise.all([start(), start()]);
    const [first, second] = sites;
    try {
      platform.setSiteUpstream(first.url);
      const [ada, bob] = [newPerson(), newPerson()];
      await signUpByHttp(platform, ada);
      await signUpByHttp(platform, bob);
      const signIn = async (
        { url }: { url: string },
        { email }: { email: string },
        password: string,
      ) => {
        platform.setSiteUpstream(url);
        const fields = formRequest({ email, password });
        return (await httpVisitor(platform, null).post('/sign-in', fields)).status;
      };

      for (let attempt = 1; attempt <= 5; attempt++) {
        const wrong = `a wrong pass phrase ${attempt}`;
        expect(await signIn(first, ada, wrong)).toBe(422);
        expect(await signIn(second, ada, wrong)).toBe(422);
      }
      for (const site of sites) {
        expect(await signIn(site, ada, ada.password)).toBe(429);
        expect(await signIn(site, bob, bob.password)).toBe(303);
      }
    } finally {
      platform.setSiteUpstream(stack.site.url);
      await Promise.all(sites.map((site) => site.stop()));
      await shared.remove();
    }
  });
}
