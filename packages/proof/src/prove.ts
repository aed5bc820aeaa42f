/** Runs the whole proof: opens the stage, runs every check, and returns the results. */
import { accountOtherSites } from './checks/accounts/other-sites.ts';
import { accountRows } from './checks/accounts/rows.ts';
import { storeInTrouble } from './checks/accounts/store-in-trouble.ts';
import { roles } from './checks/accounts/roles.ts';
import { accountStrangers } from './checks/accounts/strangers.ts';
import type { Check } from './checks/check.ts';
import { checkNames } from './findings/finding.ts';
import { titleOf } from './findings/titles.ts';
import { guardFirst } from './checks/guard-first.ts';
import { kept } from './checks/kept.ts';
import { leaks } from './checks/leaks.ts';
import { otherPeople } from './checks/other-people.ts';
import { otherSites } from './checks/other-sites.ts';
import { everybody } from './checks/everybody.ts';
import { frame } from './checks/frame.ts';
import { signedOut } from './checks/signed-out.ts';
import { signedOutPage } from './checks/signed-out-page.ts';
import { trouble } from './checks/trouble.ts';
import { troubleInBrowser } from './checks/trouble-in-browser.ts';
import type { BrowserMode } from '@gatehouse/simulator/browser';
import { openStage, type StageOptions } from './stage/open-stage.ts';
import { openProofBrowser } from './visit/proof-browser.ts';
import type { Gathered } from './stage/report.ts';
import { reasonOf, NoResponse, type Stage } from './stage/stage.ts';

export interface ProofOptions<State = unknown> extends StageOptions<State> {
  /** Milliseconds for the site to respond while the platform does not. */
  respondWithin?: number;
  /** Milliseconds for the site to respond while another process holds the store's write lock. */
  storeRespondsWithin?: number;
  /** Milliseconds for a page to load on an ordinary machine, so that only one that never loads is late, however busy this one is. */
  longestLoad?: number;
  /** How many people send requests concurrently. */
  crowdSize?: number;
  /** How the browser treats cookies and storage. Without it, browser checks are skipped. */
  browser?: BrowserMode;
  /** Skips checks whose result does not depend on the browser mode. */
  modeOnly?: boolean;
}

export async function prove<State>(options: ProofOptions<State>): Promise<Gathered> {
  const browser =
    options.browser &&
    (await openProofBrowser(options.browser, !options.modeOnly, options.longestLoad));
  const byHttp = [trouble(options.respondWithin), signedOut, guardFirst, kept, otherSites];
  const byMode = [signedOutPage, frame];
  const inBrowser = options.modeOnly ? byMode : [...byMode, everybody, troubleInBrowser];
  const sideBySide: Check[] = [
    ...(options.modeOnly ? [] : byHttp),
    ...(browser ? inBrowser.map((checkBy) => checkBy(browser)) : []),
  ];
  // Sequential: checks of the store compare all its rows, a crowd would slow down the others, and `leaks` reads the
  // complete log.
  const afterwards: Check[] = options.modeOnly
    ? []
    : [
        accountStrangers,
        accountRows,
        accountOtherSites,
        roles,
        otherPeople(options.crowdSize),
        storeInTrouble(options.storeRespondsWithin),
        leaks,
      ];

  const stage = await openStage(options);
  try {
    const names = new Set([...sideBySide, ...afterwards].map(({ name }) => name));
    const why = `skipped because of ${browser ? '--mode-only' : '--browser none'}`;
    for (const name of checkNames.filter((checkName) => !names.has(checkName))) {
      for (const route of stage.routes) stage.report.notObserved(name, route, why);
    }
    if (!browser && stage.auth !== 'in-app') {
      for (const route of stage.routes.filter(({ kind }) => kind === 'page'))
        stage.report.notObserved('trouble', route, 'no browser loaded the page during outages');
    }
    await Promise.all(sideBySide.map((check) => run(check, stage)));
    await browser?.close();
    // Writes still under way would be attributed to the requests that follow.
    await stage.site?.store?.still(stage.site.passingTables);
    for (const check of afterwards) await run(check, stage);
    return stage.gathered();
  } finally {
    await stage.close();
  }
}

/** What aborts a check is a finding: the other checks continue, and the report is made in any case. */
async function run({ name, run: runCheck }: Check, stage: Stage): Promise<void> {
  try {
    await runCheck(stage);
  } catch (error) {
    const why = reasonOf(error);
    if (!(error instanceof NoResponse)) {
      const message = `The check “${titleOf(name, stage.auth)}” was aborted: ${why}.`;
      stage.report.find('trouble/not-tested', null, message);
    }
    for (const route of stage.routes) {
      stage.report.notObserved(name, route, `the check was aborted: ${why}`);
    }
  }
}
