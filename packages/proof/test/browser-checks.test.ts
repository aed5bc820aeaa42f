/** Browser checks: correct pages have no findings, and each mistake is reported with its own code only. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everybody } from '../src/checks/everybody.ts';
import { frame } from '../src/checks/frame.ts';
import { signedOutPage } from '../src/checks/signed-out-page.ts';
import { troubleInBrowser } from '../src/checks/trouble-in-browser.ts';
import { openProofBrowser, type ProofBrowser } from '../src/visit/proof-browser.ts';
import { usualMode } from '@gatehouse/simulator/playwright';
import { printShop } from '@gatehouse/simulator/test/print-shop';
import { browserMistakes, outageMistakes } from './browser-mistakes.ts';
import { openHandmadeStage, type HandmadeRoute, type HandmadeStage } from './browser-stage.ts';

const entry = fileURLToPath(new URL('browser-site.mjs', import.meta.url));

const correct: HandmadeRoute[] = [
  { path: '/' },
  { path: '/account' },
  { path: '/prints', loader: ['list-prints'], action: ['print'] },
  { path: '/mistake/reads-later', loader: ['list-prints'] },
  { path: '/mistake/shown', loader: ['list-prints'] },
  { path: '/mistake/saves' },
  { path: '/mistake/goes-back', loader: ['list-prints'] },
];
/** A correct page that navigates by itself. Not for outages, when it has become another page, which is tested itself. */
const movesOn: HandmadeRoute = { path: '/mistake/moves-on', loader: ['list-prints'] };
const own: HandmadeRoute = { path: '/own', access: 'account' };
const resource: HandmadeRoute = {
  path: '/api/prints',
  kind: 'resource',
  loader: ['list-prints'],
  action: ['print'],
};

function routesFor(
  mistakes: Readonly<Record<string, string>>,
  more: readonly HandmadeRoute[],
): HandmadeRoute[] {
  return [
    ...correct,
    ...more,
    resource,
    ...Object.entries(mistakes).map(([mistake, code]): HandmadeRoute => {
      const path = `/mistake/${mistake}`;
      if (mistake.startsWith('own-')) return { path, access: 'account' };
      // Only pages that use the SDK are visited again for their session's end, which takes the longest.
      return /^(frame|everybody)\//.test(code) ? { path } : { path, loader: ['list-prints'] };
    }),
  ];
}

async function openAll(mistakes: Readonly<Record<string, string>>, ...more: HandmadeRoute[]) {
  return {
    browser: await openProofBrowser(usualMode.use.mode),
    stage: await openHandmadeStage(printShop, entry, routesFor(mistakes, more)),
  };
}

function codesByMistake(stage: HandmadeStage, mistakes: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.keys(mistakes).map((mistake) => [mistake, stage.codesOf(`/mistake/${mistake}`)]),
  );
}

function expectedCodes(mistakes: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(mistakes).map(([mistake, code]) => [mistake, [code]]));
}

describe('without a fault', () => {
  let browser: ProofBrowser;
  let stage: HandmadeStage;

  beforeAll(async () => {
    ({ browser, stage } = await openAll(browserMistakes, movesOn, own));
    await Promise.all([signedOutPage, frame, everybody].map((check) => check(browser).run(stage)));
  }, 1_200_000);
  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  test('correct pages have no findings', () => {
    const paths = [...correct, movesOn, own, resource].map(({ path }) => path);
    expect(stage.findings.filter(({ route }) => paths.includes(route))).toEqual([]);
    for (const { path } of correct) {
      expect(stage.checksOf(path).toSorted(), path).toEqual([
        'everybody',
        'frame',
        'signed-out-page',
      ]);
    }
  });

  test('every mistake is reported with its own code only', () => {
    expect(codesByMistake(stage, browserMistakes)).toEqual(expectedCodes(browserMistakes));
  });

  test('in a site whose accounts are its own, nothing may lead to the platform’s sign-in [W30]', async () => {
    const messages: string[] = [];
    await signedOutPage(browser).run({
      ...stage,
      auth: 'in-app',
      routes: stage.routes.filter(({ path }) => path === '/account'),
      report: { ...stage.report, find: (_, route, message) => messages.push(message) },
    });
    expect(messages).toEqual([
      expect.stringMatching(
        /leads to \/__auth\/login.*, where nobody signs in to an account of this site\.$/,
      ),
    ]);
  });

  test('a page that hangs is one finding, which names its route', () => {
    const late = stage.findings.filter(({ route }) => route === '/mistake/never-rests');
    expect(late.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^The frame does not show \/mistake\/never-rests.*: it did not respond within \d+ s\.$/,
      ),
    ]);
  });
});

describe('while the platform fails', () => {
  let browser: ProofBrowser;
  let stage: HandmadeStage;

  beforeAll(async () => {
    ({ browser, stage } = await openAll(outageMistakes));
    await troubleInBrowser(browser).run(stage);
  }, 1_200_000);
  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  test('correct pages have no findings', () => {
    const paths = [...correct, resource].map(({ path }) => path);
    expect(stage.findings.filter(({ route }) => paths.includes(route))).toEqual([]);
    for (const { path } of correct) expect(stage.checksOf(path), path).toContain('trouble');
  });

  test('every mistake is reported with its own code only', () => {
    expect(codesByMistake(stage, outageMistakes)).toEqual(expectedCodes(outageMistakes));
  });
});
