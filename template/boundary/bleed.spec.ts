/** Isolation under load: of 2,000 concurrent requests by 200 people, each response contains that person's data only. */
import { controlSite } from '@gatehouse/simulator/test/negative-control/control-site';
import { Agent } from 'node:http';
import { expect, siteSettings, test } from '../../e2e/fixtures';
import { startPlatform, type Platform } from '../../e2e/platform';
import { startSite } from '@gatehouse/simulator/programs';
import { makePicture } from '../../e2e/flows/studio/saved-picture';
import { httpVisitor, type HttpVisitor } from '@gatehouse/simulator/http';

const people = 200;

interface Count {
  /** Responses that contain another person's data. */
  bled: number;
  /** Responses that lack the visitor's own data. */
  missing: number;
}

test('shows each of 200 people their own data in 2,000 concurrent requests [W01 W03 W13]', async ({
  platform,
}) => {
  test.slow();
  const crowd = visitorsOf(platform);
  // Pictures stay pending: rendering hundreds would slow down the simulator.
  platform.clock.freeze();
  for (const [id, visitor] of crowd) {
    const prompt = `A picture for ${id}.`;
    await makePicture(visitor, prompt);
  }
  // Every upstream call overlaps with hundreds of others.
  await platform.faults.set('user', { kind: 'delay', ms: 100 });
  const paths = [
    '/api/user',
    '/studio.data',
    '/api/user',
    '/',
    '/api/generations',
    '/account.data',
  ];
  expect(await requestAtOnce(crowd, paths)).toEqual({ bled: 0, missing: 0 });
});

test('detects a site that keeps the user in a module variable [W01 W03]', async () => {
  const platform = await startPlatform({ port: 0, internalPort: 0 });
  const site = await startSite({
    ...siteSettings(platform),
    entry: controlSite,
    env: { DEFECTS: 'module_user' },
  });
  try {
    platform.setSiteUpstream(site.url);
    const { bled } = await requestAtOnce(visitorsOf(platform), ['/api/user'], 600);
    expect(bled).toBeGreaterThan(60);
  } finally {
    await site.stop();
    await platform.close();
  }
});

function visitorsOf(platform: Platform): Map<string, HttpVisitor> {
  const agent = new Agent({ keepAlive: false });
  return new Map(
    platform.addPersonas(people).map(({ id }) => [id, httpVisitor(platform, id, agent)]),
  );
}

async function requestAtOnce(
  crowd: Map<string, HttpVisitor>,
  paths: string[],
  requests = 2_000,
): Promise<Count> {
  const visitors = [...crowd];
  const count: Count = { bled: 0, missing: 0 };
  const late: number[] = [];
  const visit = async (index: number, isConcurrent: boolean): Promise<void> => {
    const [id, visitor] = visitors[index % people] ?? [];
    const response = await visitor?.get(paths[Math.floor(index / people) % paths.length] ?? '/');
    const named = [...(response?.text ?? '').matchAll(/crowd(?:-| member )(\d+)/gi)];
    const others = new Set(named.map(([, number]) => `crowd-${number}`));
    const isNamed = others.delete(id ?? '');
    if (others.size > 0) count.bled += 1;
    if (isNamed) return;
    // On a slow machine, so many requests can exceed the site's deadline. Such a response has no user, so retry alone.
    if (isConcurrent && response?.text.includes('unavailable')) late.push(index);
    else count.missing += 1;
  };
  await Promise.all(Array.from({ length: requests }, (_, index) => visit(index, true)));
  for (const index of late) await visit(index, false);
  return count;
}
