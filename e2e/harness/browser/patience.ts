/** How long a flow may take: longer on a slower machine, and longer the more steps its journey has. A hang ends it. */
import type { BrowserContext, TestInfo } from '@playwright/test';

/** Milliseconds that measuring the browser's mode takes on an ordinary machine, with another worker beside. */
const usualMeasurement = 1_000;

/** A machine that seems even slower has stalled. */
const slowest = 20;

/** Milliseconds on an ordinary machine. */
const perAction = 40_000;
const perStep = 6_000;

/** A page that navigates by itself takes steps for ever. */
const mostSteps = 100;

/** How many times slower than an ordinary one this machine is. */
export function slownessOf(measurement: number): number {
  return Math.min(slowest, Math.max(1, measurement / usualMeasurement));
}

/**
 * Extends the test's time in proportion to the machine, and by each step that the browser shows: a navigation, or a request
 * that changes something. Waiting and polling are no steps.
 */
export function givePatience(context: BrowserContext, test: TestInfo, slowness: number): void {
  const extend = (milliseconds: number) => {
    // A test without a limit keeps none.
    if (test.timeout > 0) test.setTimeout(test.timeout + Math.ceil(milliseconds));
  };
  let steps = 0;
  const step = () => {
    steps += 1;
    if (steps <= mostSteps) extend(perStep * slowness);
  };
  // Shorter than the test's own time, so that a failure names what was waited for.
  context.setDefaultTimeout(perAction * slowness);
  extend(test.timeout * (slowness - 1));
  context.on('page', (page) => {
    page.on('framenavigated', step);
  });
  context.on('request', (request) => {
    if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method())) step();
  });
}
