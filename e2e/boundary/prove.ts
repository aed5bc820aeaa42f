/** The whole proof: opens the stage, runs every check, and gives what they said. */
import { accountOtherSites } from './checks/accounts/other-sites';
import { accountRows } from './checks/accounts/rows';
import { storeInTrouble } from './checks/accounts/store-in-trouble';
import { accountStrangers } from './checks/accounts/strangers';
import type { Check } from './checks/check';
import { checkNames } from './findings/finding';
import { guardFirst } from './checks/guard-first';
import { kept } from './checks/kept';
import { leaks } from './checks/leaks';
import { otherPeople } from './checks/other-people';
import { otherSites } from './checks/other-sites';
import { everybody } from './checks/everybody';
import { frame } from './checks/frame';
import { signedOut } from './checks/signed-out';
import { signedOutPage } from './checks/signed-out-page';
import { trouble } from './checks/trouble';
import { troubleInBrowser } from './checks/trouble-in-browser';
import type { BrowserMode } from '../harness/browser/browser-modes';
import { openStage, type StageOptions } from './stage/open-stage';
import { openProofBrowser } from './visit/proof-browser';
import type { Gathered } from './stage/report';
import { Unanswered, type Stage } from './stage/stage';

export interface ProofOptions<State = unknown> extends StageOptions<State> {
  /** Milliseconds that the site may take to give up on a platform that does not answer. */
  answerWithin?: number;
  /** Milliseconds that the site may take to give up on a store that another process holds. */
  storeAnswersWithin?: number;
  /** How many people ask at once. */
  crowdSize?: number;
  /** How the browser treats cookies and storage. Without it, what needs a browser is left out. */
  browser?: BrowserMode;
  /** Leaves out what is the same in every mode of the browser. */
  modeOnly?: boolean;
}

export async function prove<State>(options: ProofOptions<State>): Promise<Gathered> {
  const browser = options.browser && (await openProofBrowser(options.browser, !options.modeOnly));
  const byHttp = [trouble(options.answerWithin), signedOut, guardFirst, kept, otherSites];
  const byMode = [signedOutPage, frame];
  const inBrowser = options.modeOnly ? byMode : [...byMode, everybody, troubleInBrowser];
  const sideBySide: Check[] = [
    ...(options.modeOnly ? [] : byHttp),
    ...(browser ? inBrowser.map((checkBy) => checkBy(browser)) : []),
  ];
  // The store is compared by each of them, a crowd is a load by itself, and what leaked is read from the log of all
  // that went before.
  const afterwards: Check[] = options.modeOnly
    ? []
    : [
        accountStrangers,
        accountRows,
        accountOtherSites,
        otherPeople(options.crowdSize),
        storeInTrouble(options.storeAnswersWithin),
        leaks,
      ];

  const stage = await openStage(options);
  try {
    const names = new Set([...sideBySide, ...afterwards].map(({ name }) => name));
    const why = `It was left out by ${browser ? '--mode-only' : '--browser none'}.`;
    for (const name of checkNames.filter((one) => !names.has(one))) {
      for (const route of stage.routes) stage.report.notObserved(name, route, why);
    }
    if (!browser) {
      for (const route of stage.routes.filter(({ kind }) => kind === 'page'))
        stage.report.notObserved('trouble', route, 'No browser looked at the page in trouble.');
    }
    await Promise.all(sideBySide.map((check) => run(check, stage))).finally(() => browser?.close());
    // Writes still under way would be attributed to the requests that follow.
    await stage.site?.store?.still(stage.site.passingTables);
    for (const check of afterwards) await run(check, stage);
    return stage.gathered();
  } finally {
    await stage.close();
  }
}

/** A check that is left without an answer ends there, and the others go on. */
async function run(check: Check, stage: Stage): Promise<void> {
  try {
    await check.run(stage);
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    for (const route of stage.routes) stage.report.notObserved(check.name, route, error.message);
  }
}
