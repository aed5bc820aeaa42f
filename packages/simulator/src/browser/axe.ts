/**
 * Runs axe-core in one frame. Playwright's wrapper for it silently skips a frame that takes longer than a second
 * to prepare.
 */
import type { Frame } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

export async function complaintsIn(frame: Frame, options: RunOptions = {}): Promise<string[]> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source);
  const { violations } = await frame.evaluate(
    (given) => (window as unknown as { axe: typeof axe }).axe.run(document, given),
    { ...options, iframes: false },
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  );
}

/**
 * Audits in light and in dark mode, once animations have ended: text that is fading in has no stable
 * contrast.
 */
export async function complaintsInLightAndDark(frame: Frame): Promise<string[]> {
  const page = frame.page();
  await page.emulateMedia({ colorScheme: 'light' });
  await still(frame);
  const light = await complaintsIn(frame);
  await page.emulateMedia({ colorScheme: 'dark' });
  await still(frame);
  // In dark mode only the colors differ.
  const dark = await complaintsIn(frame, { runOnly: ['color-contrast'] });
  return [...light, ...dark];
}

async function still(frame: Frame): Promise<void> {
  await frame.evaluate(async () => {
    const finite = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.all(finite.map((animation) => animation.finished.catch(() => undefined)));
  });
}
