/** The checks that need a browser: silent on an honest site, and each sin is told by its own code and no other. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everybody } from '../checks/everybody';
import { frame } from '../checks/frame';
import { signedOutPage } from '../checks/signed-out-page';
import { troubleInBrowser } from '../checks/trouble-in-browser';
import { openProofBrowser, type ProofBrowser } from '../visit/proof-browser';
import { usualMode } from '../../harness/browser/config';
import { printShop } from '../../harness/test/print-shop';
import { browserSins, troubleSins } from './browser-sins';
import { openHandmadeStage, type HandmadeRoute, type HandmadeStage } from './browser-stage';

const entry = 'e2e/boundary/test/browser-site.mjs';

const honest: HandmadeRoute[] = [
  { path: '/' },
  { path: '/account' },
  { path: '/prints', loader: ['list-prints'], action: ['print'] },
  { path: '/sin/reads-later', loader: ['list-prints'] },
  { path: '/sin/shown', loader: ['list-prints'] },
  { path: '/sin/goes-back', loader: ['list-prints'] },
];
/** As it stands. In an outage it is wherever it went: another page, which is looked at by itself. */
const movesOn: HandmadeRoute = { path: '/sin/moves-on', loader: ['list-prints'] };
const own: HandmadeRoute = { path: '/own', access: 'account' };
const resource: HandmadeRoute = {
  path: '/api/prints',
  kind: 'resource',
  loader: ['list-prints'],
  action: ['print'],
};

function routesFor(
  sins: Readonly<Record<string, string>>,
  more: readonly HandmadeRoute[],
): HandmadeRoute[] {
  return [
    ...honest,
    ...more,
    resource,
    ...Object.keys(sins).map((sin): HandmadeRoute =>
      sin.startsWith('own-')
        ? { path: `/sin/${sin}`, access: 'account' }
        : { path: `/sin/${sin}`, loader: ['list-prints'] },
    ),
  ];
}

async function openAll(sins: Readonly<Record<string, string>>, ...more: HandmadeRoute[]) {
  return {
    browser: await openProofBrowser(usualMode.use.mode),
    stage: await openHandmadeStage(printShop, entry, routesFor(sins, more)),
  };
}

function toldOf(stage: HandmadeStage, sins: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.keys(sins).map((sin) => [sin, stage.codesOf(`/sin/${sin}`)]));
}

function wanted(sins: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(sins).map(([sin, code]) => [sin, [code]]));
}

describe('the pages as they stand', () => {
  let browser: ProofBrowser;
  let stage: HandmadeStage;

  beforeAll(async () => {
    ({ browser, stage } = await openAll(browserSins, movesOn, own));
    await Promise.all([signedOutPage, frame, everybody].map((check) => check(browser).run(stage)));
  }, 600_000);
  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  test('honest pages give no cause to complain', () => {
    const paths = [...honest, movesOn, own, resource].map(({ path }) => path);
    expect(stage.findings.filter(({ route }) => paths.includes(route))).toEqual([]);
    for (const { path } of honest) {
      expect(stage.checksOf(path).toSorted(), path).toEqual([
        'everybody',
        'frame',
        'signed-out-page',
      ]);
    }
  });

  test('every sin is told by its own code, and by no other', () => {
    expect(toldOf(stage, browserSins)).toEqual(wanted(browserSins));
  });
});

describe('the pages while the platform fails', () => {
  let browser: ProofBrowser;
  let stage: HandmadeStage;

  beforeAll(async () => {
    ({ browser, stage } = await openAll(troubleSins));
    await troubleInBrowser(browser).run(stage);
  }, 600_000);
  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  test('honest pages give no cause to complain', () => {
    const paths = [...honest, resource].map(({ path }) => path);
    expect(stage.findings.filter(({ route }) => paths.includes(route))).toEqual([]);
    for (const { path } of honest) expect(stage.checksOf(path), path).toContain('trouble');
  });

  test('every sin is told by its own code, and by no other', () => {
    expect(toldOf(stage, troubleSins)).toEqual(wanted(troubleSins));
  });
});
