/**
 * Collects everything that a healthy page does not produce: console warnings and errors, page errors,
 * violations of the content security policy, failed requests. A test fails for each one that it did not
 * allow.
 */
import type { BrowserContext } from '@playwright/test';

export interface BrowserLog {
  /** The browser context to listen to. */
  context: BrowserContext;
  /**
   * Expects messages like this in the running test.
   * @param pattern matched against `kind: text (address)`.
   */
  allow(pattern: RegExp): void;
  /** What was collected so far and not allowed. */
  unexpected(): string[];
  /** What was collected so far, allowed or not. */
  all(): string[];
}

/**
 * Expected on healthy pages: Chromium logs every 401 to the console, and by the contract `/api/user` returns
 * one to signed-out visitors. A request that is aborted because its page was left is no failure either.
 */
const ordinary = [
  /^error: Failed to load resource: the server responded with a status of 401 .*\/api\/user\)$/,
  /^request: net::ERR_ABORTED /,
];

const loud = new Set(['warning', 'error', 'assert']);

export async function recordBrowserLog(context: BrowserContext): Promise<BrowserLog> {
  const messages: string[] = [];
  const allowed = [...ordinary];

  /** Chromium replays console messages of documents that were left, with their original timestamps. */
  const reported = new Set<string>();
  context.on('console', (message) => {
    if (!loud.has(message.type())) return;
    const text = `${message.type()}: ${message.text()} (${message.location().url})`;
    const reportedAt = `${message.timestamp()} ${text}`;
    if (!reported.has(reportedAt)) messages.push(text);
    reported.add(reportedAt);
  });
  context.on('weberror', (error) => {
    messages.push(`page error: ${error.error().message} (${error.page()?.url() ?? ''})`);
  });
  context.on('requestfailed', (request) => {
    messages.push(`request: ${request.failure()?.errorText ?? 'failed'} (${request.url()})`);
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      // eslint-disable-next-line no-console -- this runs in the page, and we listen to it
      console.error(`CSP violation of ${event.effectiveDirective} by ${event.blockedURI}`);
    });
  });

  return {
    context,
    allow: (pattern) => void allowed.push(pattern),
    unexpected: () =>
      messages.filter((message) => !allowed.some((pattern) => pattern.test(message))),
    all: () => [...messages],
  };
}
