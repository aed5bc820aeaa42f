/** The whole proof: opens the stage, runs every check, and gives what they said. */
import type { Check } from './checks/check';
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
import { openProofBrowser } from './stage/proof-browser';
import type { Gathered } from './stage/report';

export interface ProofOptions<State = unknown> extends StageOptions<State> {
  /** Milliseconds that the site may take to give up on a platform that does not answer. */
  answerWithin?: number;
  /** How many people ask at once. */
  crowdSize?: number;
  /** How the browser treats cookies and storage. Without it, what needs a browser is left out. */
  browser?: BrowserMode;
}

export async function prove<State>(options: ProofOptions<State>): Promise<Gathered> {
  const sideBySide: Check[] = [
    trouble(options.answerWithin),
    signedOut,
    guardFirst,
    kept,
    otherSites,
  ];
  const browser = options.browser && (await openProofBrowser(options.browser));
  if (browser) {
    const inBrowser = [signedOutPage, frame, everybody, troubleInBrowser];
    sideBySide.push(...inBrowser.map((checkBy) => checkBy(browser)));
  }
  const stage = await openStage(options);
  try {
    await Promise.all(sideBySide.map((check) => check.run(stage))).finally(() => browser?.close());
    // A crowd is a load by itself.
    await otherPeople(options.crowdSize).run(stage);
    // It reads the log of all that went before.
    await leaks.run(stage);
    return stage.gathered();
  } finally {
    await stage.close();
  }
}
