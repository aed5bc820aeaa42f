/**
 * Two processes of the site on one PostgreSQL, behind the edge in turn. Each is killed under a load of writes and
 * signed-in pages, and a third one takes over: no acknowledged note is lost, no session ends, and a request that
 * failed can be sent again.
 */
import { expect, siteEntry, siteSettings, test } from '../../e2e/fixtures';
import { startSite, type Site } from '@gatehouse/simulator/programs';
import { load, signedInWriter, type NoteWriter } from './note-writer';
import { hasPostgres, postgresDatabases } from '@gatehouse/store/testing/postgres-server';

/** Notes between two events, of all writers together. */
const some = 100;
/** How many requests fail before the load balancer removes a dead process. */
const noticedAfter = 12;
const writers = 6;

test.describe('with PostgreSQL', () => {
  // The edge cannot reach a killed process.
  test.use({ provokes: ['site_unreachable'] });

  test('killing each of two processes under load loses no note and no session', async ({
    stack,
    platform,
  }) => {
    test.skip(!hasPostgres, 'There is no PostgreSQL.');
    test.slow();
    const databases = await postgresDatabases();
    const url = await databases.newDatabase();
    const start = () =>
      startSite({ ...siteSettings(platform), entry: siteEntry, env: { DATABASE_URL: url } });
    const sites = await Promise.all([start(), start()]);
    let turn = 0;
    const next = () => {
      const site = sites[turn++ % sites.length];
      if (site) platform.setSiteUpstream(site.url);
    };
    try {
      const people: NoteWriter[] = [];
      for (let index = 0; index < writers; index++) {
        next();
        people.push(await signedInWriter(platform));
      }
      const count = (what: 'kept' | 'retries') =>
        people.reduce((sum, writer) => sum + writer[what].length, 0);
      const more = async (what: 'kept' | 'retries', wanted: number) => {
        const enough = count(what) + wanted;
        await expect.poll(() => count(what), { timeout: 60_000 }).toBeGreaterThanOrEqual(enough);
      };
      const kill = async (site: Site | undefined) => {
        site?.child.kill('SIGKILL');
        await site?.exited;
        await more('retries', noticedAfter);
        sites.splice(0, sites.length, ...sites.filter((other) => other !== site));
        await more('kept', some);
      };

      let ended = false;
      const work = people.map((writer) => load(writer, next, () => ended));
      try {
        await more('kept', some);
        const [first, second] = sites;
        await kill(first);
        // A new process, which has served no request yet.
        sites.push(await start());
        await more('kept', some);
        await kill(second);
      } finally {
        ended = true;
        await Promise.all(work);
      }

      expect(people.flatMap(({ wrong }) => wrong)).toEqual([]);
      for (const { visitor, kept } of people) {
        const { notes } = (await visitor.get('/api/notes/export?format=json')).json() as {
          notes: { title: string }[];
        };
        // Each note once, even if it was stored, its response was lost, and it was sent again.
        expect(notes.map(({ title }) => title).sort()).toEqual([...kept].sort());
      }
      test.info().annotations.push({
        type: 'replicas',
        description: `${count('kept')} notes acknowledged, ${count('retries')} sent again, 0 lost`,
      });
    } finally {
      platform.setSiteUpstream(stack.site.url);
      await Promise.all(sites.map((site) => site.stop()));
      await databases.stop();
    }
  });
});

test('detects two processes with separate stores', async ({ stack, platform }) => {
  const sites = [stack.site, await startSite({ ...siteSettings(platform), entry: siteEntry })];
  try {
    platform.setSiteUpstream(stack.site.url);
    const writer = await signedInWriter(platform);
    let turn = 0;
    const next = () => {
      platform.setSiteUpstream(sites[turn++ % sites.length]?.url ?? '');
    };
    await load(writer, next, () => writer.wrong.length > 0);
    expect(writer.wrong[0]).toMatch(/^(POST|GET) \/notes: 302/);
  } finally {
    platform.setSiteUpstream(stack.site.url);
    await sites[1]?.stop();
  }
});
