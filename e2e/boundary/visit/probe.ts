/** Asks a page what `in-page.js` can tell of it. */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Frame, JSHandle } from '@playwright/test';

/** Runs in each page before its own scripts do. */
export const probeSource = readFileSync(new URL('in-page.js', import.meta.url), 'utf8');

export interface Control {
  /** Its place among the controls when it was listed. */
  id: number;
  /** As it is announced, or nearly. */
  name: string;
  kind: 'link' | 'button' | 'submit' | 'text' | 'select' | 'choice' | 'file' | 'item';
  isEnabled: boolean;
  isVisible: boolean;
  isInMain: boolean;
  isInNoscript: boolean;
  /** Where the markup says that using it leads; null where only a script knows, and for another site. */
  target: { method: string; path: string } | null;
  /** The nearest part of the page around it that has a title, and the length of what is explained there. */
  panel: { hasTitle: boolean; explanation: number };
}

export interface PageSummary {
  text: string;
  /** Titles and usable controls by name. */
  marks: string[];
  buttons: Control[];
}

interface Probe {
  comeBack: () => void;
  cookies: string[];
  controls: () => Control[];
  dismiss: () => void;
  element: (id: number) => unknown;
  fillTexts: () => void;
  html: () => string;
  operate: (id: number) => boolean;
  settled: (quiet: number, longest: number) => Promise<void>;
  shownText: () => string;
  sideways: () => { width: number; element: string } | null;
  summary: () => PageSummary;
  takeDownloads: () => number;
  unreached: () => string[];
  watchFocus: () => number;
}

type Method = Exclude<keyof Probe, 'cookies' | 'element'>;

/**
 * `operate` is never repeated: a first attempt may have made the page leave.
 *
 * @throws when the frame never comes to rest, or never was a page.
 */
export async function ask<Name extends Method>(
  frame: Frame,
  name: Name,
  ...given: Parameters<Probe[Name]>
): Promise<Awaited<ReturnType<Probe[Name]>>> {
  const question = () => askOnce(frame, name, given);
  return name === 'operate' ? inTime(question()) : again(frame, question);
}

/**
 * A question to a page that may go elsewhere meanwhile: it is asked again where the page has come to. Playwright's
 * `evaluate` has no timeout, and waits for ever where a frame is replaced as it is asked.
 *
 * @param patience milliseconds for one answer
 * @throws what the last attempt has thrown
 */
export async function again<T>(
  frame: Frame,
  question: () => Promise<T>,
  patience = longestAnswer,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTime(question(), patience);
    } catch (error) {
      const isLeft = error instanceof NoAnswer || isOfLeftPage(error);
      if (!isLeft || attempt === mostAttempts) throw error;
      await frame.waitForLoadState().catch(() => undefined);
    }
  }
}

/** Whether a page was gone before it could answer: it is no fault of the question. */
export function isOfLeftPage(error: unknown): boolean {
  return (
    error instanceof NoAnswer || /context was destroyed|because of a navigation/.test(String(error))
  );
}

/** Milliseconds, on a busy machine too. */
const longestAnswer = 15_000;

class NoAnswer extends Error {
  override name = 'NoAnswer';
}

/** @throws {NoAnswer} after so many milliseconds. What comes later is for nobody. */
export async function inTime<T>(answer: Promise<T>, longest = longestAnswer): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new NoAnswer('The page does not answer.'));
    }, longest);
  });
  return Promise.race([answer, late]).finally(() => {
    clearTimeout(timer);
  });
}

/**
 * Waits until nothing changes for a moment. A document in which no script runs, such as a file's in a sandbox, has no
 * timer to tell that by: it has the whole time.
 */
export async function rest(frame: Frame, quiet: number, longest: number): Promise<void> {
  await Promise.race([ask(frame, 'settled', quiet, longest), pause(longest + 500)]);
}

const mostAttempts = 8;

async function askOnce<Name extends Method>(
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

/** The cookies that the page's scripts have set, as they wrote them. */
export async function cookiesOf(frame: Frame): Promise<string[]> {
  return again(frame, async () => {
    await inject(frame);
    return frame.evaluate(() => (window as unknown as { proof: Probe }).proof.cookies);
  });
}

export async function elementOf(frame: Frame, { id }: Control): Promise<JSHandle> {
  const handle = frame.evaluateHandle(
    (given) => (window as unknown as { proof: Probe }).proof.element(given),
    id,
  );
  return inTime(handle);
}

/** Where scripts are off, no page gets it by itself. */
async function inject(frame: Frame): Promise<void> {
  if (!(await frame.evaluate(() => 'proof' in window))) await frame.evaluate(probeSource);
}
