/** A newcomer can follow a request: few files run between the socket and a route. */
import { mkdtemp } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { remix } from '../framework/remix/index.ts';
import { isResource, settings, startListener } from '../testing/listening-site.ts';
import { createSmallSite } from '../../test/small-site.tsx';
import { createAssets } from '../responses/assets.ts';

vi.mock('../log.ts', () => import('../testing/log-double.ts'));

const source = path.resolve(import.meta.dirname, '..');
const profiler = new Session();
profiler.connect();

let ranBefore: string[] = [];
const site = createSmallSite({
  page: {
    default: () => null,
    loader: async () => {
      ranBefore = await filesThatRan();
      return null;
    },
  },
});
const { doubles, send } = await startListener(
  { framework: remix, isResource, hasCheckedIdentity: () => false },
  settings,
);
const assets = createAssets(await mkdtemp(path.join(tmpdir(), 'assets-')), settings);

test('between the socket and the loader of a page run at most ten files of the server', async () => {
  Object.assign(doubles, { match: site.match, assets });
  // Remix’s handler of a route is created by its first request.
  await send('/page', { headers: { host: 'site.example' } });
  await profiler.post('Profiler.enable');
  await profiler.post('Profiler.startPreciseCoverage', { callCount: true });
  expect((await send('/page', { headers: { host: 'site.example' } })).status).toBe(200);
  expect(ranBefore).toContain('framework/route-handlers.ts');
  expect(ranBefore.length, ranBefore.join(', ')).toBeLessThanOrEqual(10);
});

/** Files of `src/` of which a function ran since the last call. */
async function filesThatRan(): Promise<string[]> {
  const { result } = await profiler.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => ranges[0]?.count))
    .map(({ url }) => path.relative(source, url.replace(/^file:\/\//, '')))
    .filter((file) => !/^(\.\.|testing\/)|\.test\.ts$/.test(file));
}
