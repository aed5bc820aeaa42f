/** What `--against` reports about a deployed site. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Inventory, Route } from './inventory/route.ts';
import { proveFromOutside } from './outside.ts';
import { holds, verdictOf } from './stage/report.ts';

const server = createServer((request, response) => {
  const { origin } = request.headers;
  if (request.url === '/silent') {
    request.destroy();
    return;
  }
  const isWrite = request.method !== 'GET' && request.method !== 'HEAD';
  const isForeign = isWrite && origin !== own() && request.url !== '/accepts';
  const throws = isWrite && request.url === '/throws';
  const cacheControl = request.url === '/cached' ? 'private, max-age=60' : 'no-store';
  response.writeHead(isForeign ? 403 : throws ? 500 : 200, { 'cache-control': cacheControl });
  response.end();
});
const own = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

const routeAt = (path: string): Route => ({
  ...{ id: path, path, file: 'site.mjs', kind: 'resource', access: 'platform' },
  ...{ isLayout: false, isPublic: false, showsPublished: false },
  loader: { reachesSdk: null },
  action: { reachesSdk: null },
});
const proofOf = (path: string, origin = own(), more: string[] = []) => {
  const inventory: Inventory = {
    routes: [path, ...more].map(routeAt),
    homeData: null,
    clientFolders: [],
  };
  return proveFromOutside(origin, inventory, new Set(inventory.routes));
};

test('a correct site has no findings, and results that were not observed are counted', async () => {
  const proof = await proofOf('/correct');
  expect(proof.findings).toEqual([]);
  expect(holds(proof)).toBeNull();
  expect(verdictOf(proof)).toBe('No findings, but 7 of 10 results were not observed');
});

test.each([
  ['/cached', 'kept/cacheable'],
  ['/accepts', 'other-sites/accepted'],
  ['/throws', 'signed-out/server-error'],
])('%s is reported as %s', async (path, code) => {
  const proof = await proofOf(path);
  expect(new Set(proof.findings.map((finding) => finding.code))).toEqual(new Set([code]));
  expect(holds(proof)).toBe(false);
});

test('a route that does not respond is one finding, and the others are proven', async () => {
  const proof = await proofOf('/correct', own(), ['/silent', '/accepts']);
  expect(proof.findings.map(({ code, route }) => [code, route])).toEqual([
    ['trouble/no-response', '/silent'],
    ['other-sites/accepted', '/accepts'],
    ['other-sites/accepted', '/accepts'],
  ]);
  expect(proof.outcomes.map(({ results }) => results.kept.is)).toEqual([
    'proven',
    'not-observed',
    'proven',
  ]);
});

test('a site that does not respond is an error in one sentence', async () => {
  await expect(proofOf('/correct', 'http://127.0.0.1:9')).rejects.toThrow(
    /^http:\/\/127\.0\.0\.1:9\/correct did not respond: /,
  );
});
