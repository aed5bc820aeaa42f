/** Calls the functions of `in-page.js` in a page, with retries while the page navigates. */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { errors, type Frame, type JSHandle } from '@playwright/test';
import type { Field } from '../crawl/field-values.ts';
import type { OnThisMachine } from '@gatehouse/simulator/platform';

/** Runs in each page before the page's own scripts. */
export const probeSource = readFileSync(new URL('in-page.js', import.meta.url), 'utf8');

export interface Control {
  /** Its index in the list of controls. */
  id: number;
  /** An approximation of its accessible name. */
  name: string;
  kind: 'link' | 'button' | 'submit' | 'text' | 'select' | 'choice' | 'file' | 'item';
  /** Neither disabled nor announced as disabled. */
  isEnabled: boolean;
  /** Not disabled, though perhaps announced as disabled by `aria-disabled`. */
  isOperable: boolean;
  isVisible: boolean;
  isInMain: boolean;
  isInNoscript: boolean;
  /** The request that the markup declares; null if a script handles the control, or for another site. */
  target: { method: string; path: string } | null;
  /** Whether a container with a heading surrounds it, and how many characters of other text that has. */
  panel: { hasTitle: boolean; explanation: number };
}

export interface PageSummary {
  text: string;
  /** Headings and usable controls, by kind and name. */
  marks: string[];
  buttons: Control[];
}

/** A file that a script of the page has saved. */
export interface SavedByScript {
  name: string;
  type: string;
  /** Its first bytes, in Base64. */
  start: string;
}

interface Probe {
  comeBack: () => void;
  cookies: string[];
  controls: () => Control[];
  dismiss: () => void;
  element: (id: number) => unknown;
  emptyFields: () => Field[];
  fillFields: (values: string[]) => void;
  html: () => string;
  operate: (id: number) => boolean;
  settled: (quiet: number, longest: number) => Promise<void>;
  shownText: () => string;
  sideways: () => { width: number; element: string } | null;
  summary: () => PageSummary;
  takeDownloads: () => string[];
  takeSaved: () => Promise<SavedByScript[]>;
  unreached: () => string[];
  watchFocus: () => number;
}

export interface ProbedFrame {
  frame: Frame;
  onThisMachine: OnThisMachine;
}

type Method = Exclude<keyof Probe, 'cookies' | 'element'>;

/**
 * Calls one function of the probe. `operate` is not retried, because the first attempt may have caused the navigation.
 *
 * @throws when the frame keeps navigating, or its page does not respond.
 */
export async function callProbe<Name extends Method>(
  probed: ProbedFrame,
  name: Name,
  ...given: Parameters<Probe[Name]>
): Promise<Awaited<ReturnType<Probe[Name]>>> {
  const call = () => callOnce(probed.frame, name, given);
  if (name === 'operate') return withTimeout(call(), probed.onThisMachine(longestCall));
  return retryOnNavigation(probed, call);
}

/**
 * Retries a call when the page navigates meanwhile. Each attempt has a timeout, because Playwright's `evaluate` has none
 * and never settles if the frame is replaced during the call.
 *
 * @param longest milliseconds for one attempt, on an ordinary machine
 * @throws the error of the last attempt
 */
export async function retryOnNavigation<T>(
  { frame, onThisMachine }: ProbedFrame,
  call: () => Promise<T>,
  longest = longestCall,
): Promise<T> {
  let late = 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withTimeout(call(), onThisMachine(longest));
    } catch (error) {
      if (error instanceof CallTimeout) late += 1;
      const isFinal = attempt === mostAttempts || late === mostLate;
      if (!isNavigationError(error) || isFinal) throw error;
      await frame.waitForLoadState().catch(() => undefined);
    }
  }
}

/** Whether a call failed because the page navigated away. */
export function isNavigationError(error: unknown): boolean {
  return (
    error instanceof CallTimeout ||
    /context was destroyed|because of a navigation/.test(String(error))
  );
}

/** Whether a page did not respond in time: it hangs, or the machine is too busy. */
export function isLate(error: unknown): boolean {
  return error instanceof CallTimeout || error instanceof errors.TimeoutError;
}

/** For a page that keeps reloading, which cannot be inspected. */
export function nullIfNavigated(error: unknown): null {
  if (!isNavigationError(error)) throw error;
  return null;
}

/** Milliseconds on an ordinary machine. */
const longestCall = 15_000;

class CallTimeout extends Error {
  override name = 'CallTimeout';
}

/**
 * A later result is ignored.
 *
 * @param lateError what is thrown after this many milliseconds
 */
export async function withTimeout<T>(
  promise: Promise<T>,
  within: number,
  lateError: Error = new CallTimeout(`it did not respond within ${Math.round(within / 1_000)} s`),
): Promise<T> {
  const over = new AbortController();
  const late = pause(within, undefined, over).then(() => Promise.reject(lateError));
  return Promise.race([promise, late]).finally(() => {
    over.abort();
  });
}

/**
 * Waits until the DOM has not changed for a while. Takes the longest time in a document without scripts, such as a file
 * in a sandbox, because the probe's timers do not run there.
 */
export async function rest(probed: ProbedFrame, quiet: number, longest: number): Promise<void> {
  await Promise.race([callProbe(probed, 'settled', quiet, longest), pause(longest + 500)]);
}

const mostAttempts = 8;
/** A frame that is replaced during a call gives no result, but the second attempt does. A page that hangs gives none. */
const mostLate = 2;

async function callOnce<Name extends Method>(
  frame: Frame,
  name: Name,
  given: Parameters<Probe[Name]>,
): Promise<Awaited<ReturnType<Probe[Name]>>> {
  await inject(frame);
  return frame.evaluate(
    ([method, parameters]) => {
      const { proof } = window as unknown as {
        proof: Record<string, (...all: never[]) => unknown>;
      };
      return proof[method]?.(...(parameters as never[])) as never;
    },
    [name, given] as const,
  );
}

/** The cookies that the page's scripts have set, as assigned to `document.cookie`. */
export async function cookiesOf(probed: ProbedFrame): Promise<string[]> {
  const { frame } = probed;
  return retryOnNavigation(probed, async () => {
    await inject(frame);
    return frame.evaluate(() => (window as unknown as { proof: Probe }).proof.cookies);
  });
}

export async function elementOf(
  { frame, onThisMachine }: ProbedFrame,
  { id }: Control,
): Promise<JSHandle> {
  const handle = frame.evaluateHandle(
    (given) => (window as unknown as { proof: Probe }).proof.element(given),
    id,
  );
  return withTimeout(handle, onThisMachine(longestCall));
}

/** Injects the probe where the init script did not run because JavaScript is disabled. */
async function inject(frame: Frame): Promise<void> {
  if (!(await frame.evaluate(() => 'proof' in window))) await frame.evaluate(probeSource);
}
