/** How long a flow may take: longer the more steps its journey has. A hang ends it. */
import type { BrowserContext, TestInfo } from '@playwright/test';
import type { OnThisMachine } from '../machine.ts';

/** Milliseconds on an ordinary machine. */
const perAction = 40_000;
const perStep = 6_000;

/** A page that navigates by itself takes steps for ever. */
const mostSteps = 100;

/**
 * Extends the test's time by each step that the browser shows: a navigation, or a request that changes something. Waiting
 * and polling are no steps.
 */
export function givePatience(
  context: BrowserContext,
  test: TestInfo,
  onThisMachine: OnThisMachine,
): void {
  let steps = 0;
  const step = () => {
    steps += 1;
    // A test without a limit keeps none.
    if (steps > mostSteps || test.timeout === 0) return;
    test.setTimeout(test.timeout + onThisMachine(perStep));
  };
  // Shorter than the test's own time, so that a failure names what was waited for.
  context.setDefaultTimeout(onThisMachine(perAction));
  context.on('page', (page) => {
    page.on('framenavigated', step);
  });
  context.on('request', (request) => {
    if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method())) step();
  });
}
