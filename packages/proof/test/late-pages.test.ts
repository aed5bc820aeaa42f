/** A page that is late is a finding of its own route: the other routes are proven, and the table is printed. */
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { usualMode } from '@gatehouse/simulator/playwright';
import { printShop } from '@gatehouse/simulator/test/print-shop';
import type { Route } from '../src/inventory/route.ts';
import { prove } from '../src/prove.ts';
import { terminalReport } from '../src/report/terminal.ts';
import type { Gathered } from '../src/stage/report.ts';

const paths = ['/', '/never-ends', '/never-loads', '/blocks', '/leaves', '/downloads'];

let proof: Gathered;

beforeAll(async () => {
  const routes = paths.map((path): Route => ({
    ...{ id: path, path, file: 'late-site.mjs', kind: 'page', access: 'none' },
    ...{
      isLayout: false,
      isPublic: false,
      showsPublished: false,
      loader: { reachesSdk: null },
      action: null,
    },
  }));
  proof = await prove({
    definition: { platform: printShop },
    inventory: { routes, homeData: null, clientFolders: [] },
    start: { entry: fileURLToPath(new URL('late-site.mjs', import.meta.url)) },
    browser: usualMode.use.mode,
    longestResponse: 5_000,
    longestLoad: 8_000,
    crowdSize: 4,
  });
}, 1_200_000);

const messagesOf = (path: string) =>
  proof.findings.filter(({ route }) => route === path).map(({ message }) => message);

test('the table lists every route, those that are late too', () => {
  const table = terminalReport(proof, 1);
  for (const path of paths) expect(table).toContain(`\n${path} `);
});

test.each([
  ['whose response never ends', '/never-ends', /got no response within \d+ s\.$/],
  [
    'with a picture that never arrives',
    '/never-loads',
    /does not show \/never-loads.* did not load/,
  ],
  [
    'that waits for the next one',
    '/leaves',
    /does not show \/leaves.* did not load within \d+ s\.$/,
  ],
  ['whose script blocks', '/blocks', /does not show \/blocks.* did not respond within \d+ s\.$/],
])('a page %s is one finding, which says so', (_, path, message) => {
  expect(messagesOf(path)).toEqual([expect.stringMatching(message)]);
});

test('a page that is on time has no finding', () => {
  expect(messagesOf('/')).toEqual([]);
});

test('a native download is reported, even if it never begins', () => {
  const native = expect.stringMatching(/load \/api\/never natively/) as string;
  // Signed out and signed in.
  expect(messagesOf('/downloads')).toEqual([native, native]);
});
