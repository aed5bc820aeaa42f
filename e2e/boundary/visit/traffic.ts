/** What one browser asks of the site, and what comes back with it. */
import type { BrowserContext, Page, Request, Response } from '@playwright/test';
import { inTime } from './probe';

export interface AskedRequest {
  method: string;
  /** Path and query. */
  path: string;
  /** The browser itself goes there: a document, in a frame or a new window. */
  isNavigation: boolean;
  type: string;
}

export interface Traffic {
  asked: AskedRequest[];
  /** Paths that the browser stores as files by itself. */
  downloaded: string[];
  /** What the site set, and in answer to what. Complete once {@link Traffic.read} has resolved. */
  cookies: { path: string; cookie: string }[];
  /** Path of requests that the proof keeps from the site: no page comes to rest before they are answered. */
  held: string | null;
  /** Requests of a page that have no answer yet, streams of events and held ones aside. */
  openOf: (page: Page) => number;
  read: () => Promise<void>;
  /** Forgets what there was so far. */
  forget: () => void;
}

/** Milliseconds from an answer to its headers as they were written. */
const longestHeaders = 5_000;

/** Milliseconds from an answer's headers to the end of its body. */
const bodyTime = 150;

export function listenToTraffic(context: BrowserContext, siteOrigin: string): Traffic {
  const open = new Map<Request, Page | null>();
  const known = new WeakMap<Request, AskedRequest>();
  let reading: Promise<void>[] = [];

  const traffic: Traffic = {
    asked: [],
    downloaded: [],
    cookies: [],
    held: null,
    openOf: (page) => [...open.values()].filter((one) => one === page).length,
    async read() {
      await Promise.all(reading);
    },
    forget() {
      traffic.asked = [];
      traffic.downloaded = [];
      traffic.cookies = [];
      reading = [];
    },
  };

  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== siteOrigin) return;
    const type = request.resourceType();
    const asked: AskedRequest = {
      method: request.method(),
      path: url.pathname + url.search,
      isNavigation: request.isNavigationRequest(),
      type,
    };
    known.set(request, asked);
    traffic.asked.push(asked);
    const isHeld = url.pathname === traffic.held;
    if (type !== 'eventsource' && type !== 'media' && !isHeld) open.set(request, pageOf(request));
  });
  const close = (request: Request): void => void open.delete(request);
  context.on('requestfinished', close);
  context.on('requestfailed', close);
  context.on('response', (response) => {
    const asked = known.get(response.request());
    if (!asked) return;
    // A body that nobody reads is never finished.
    setTimeout(close, bodyTime, response.request()).unref();
    if (['script', 'stylesheet', 'font'].includes(asked.type)) return;
    const { cookies } = traffic;
    reading.push(
      setCookiesOf(response).then((found) => {
        cookies.push(...found.map((cookie) => ({ path: asked.path, cookie })));
      }),
    );
  });
  const watch = (page: Page): void => {
    page.on('download', (download) => {
      const url = new URL(download.url());
      if (url.origin === siteOrigin && url.protocol !== 'blob:') {
        traffic.downloaded.push(url.pathname + url.search);
      }
      void download.cancel();
    });
  };
  context.pages().forEach(watch);
  context.on('page', watch);
  return traffic;
}

/** The platform's own cookies, set below `/__auth/`, are no site's. */
async function setCookiesOf(response: Response): Promise<string[]> {
  if (new URL(response.url()).pathname.startsWith('/__auth/')) return [];
  // Of an answer that a navigation overtook, Chromium may never tell the rest.
  const headers = await inTime(response.headersArray(), longestHeaders).catch(() => []);
  return headers.filter(({ name }) => name.toLowerCase() === 'set-cookie').map((one) => one.value);
}

/** A navigation has no frame yet, and neither has what a worker asks. */
function pageOf(request: Request): Page | null {
  try {
    return request.frame().page();
  } catch {
    return null;
  }
}
