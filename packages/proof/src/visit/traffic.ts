/** Records the requests of one browser context to the site, the downloads and the cookies set. */
import type { BrowserContext, Page, Request, Response } from '@playwright/test';
import type { OnThisMachine } from '@gatehouse/simulator/platform';
import { withTimeout } from './probe.ts';

export interface PageRequest {
  method: string;
  /** Path and query. */
  path: string;
  /** A navigation to a document, in a frame or a new window. */
  isNavigation: boolean;
  type: string;
}

export interface Traffic {
  requests: PageRequest[];
  /** Paths of native downloads. */
  downloaded: string[];
  /** Adds to {@link Traffic.downloaded}. The page notes a download at once, the browser when its response arrives. */
  noteDownload: (path: string) => void;
  /** `Set-Cookie` headers by request path. Complete once {@link Traffic.read} has resolved. */
  cookies: { path: string; cookie: string }[];
  /** The path of requests that the proof holds back, so that they do not count as open. */
  held: string | null;
  /** The number of open requests of a page, without event streams, media and held requests. */
  openOf: (page: Page) => number;
  read: () => Promise<void>;
  /** Clears what was recorded so far. */
  forget: () => void;
}

/** Milliseconds for Chromium to deliver the raw headers of a response, on an ordinary machine. */
const longestHeaders = 5_000;

/** Milliseconds after its headers when a response counts as complete. */
const bodyTime = 150;

export function listenToTraffic(
  context: BrowserContext,
  siteOrigin: string,
  onThisMachine: OnThisMachine,
): Traffic {
  const open = new Map<Request, Page | null>();
  const known = new WeakMap<Request, PageRequest>();
  let reading: Promise<void>[] = [];

  const traffic: Traffic = {
    requests: [],
    downloaded: [],
    cookies: [],
    held: null,
    openOf: (page) => [...open.values()].filter((openIn) => openIn === page).length,
    noteDownload(path) {
      if (!traffic.downloaded.includes(path)) traffic.downloaded.push(path);
    },
    async read() {
      await Promise.all(reading);
    },
    forget() {
      traffic.requests = [];
      traffic.downloaded = [];
      traffic.cookies = [];
      reading = [];
    },
  };

  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== siteOrigin) return;
    const type = request.resourceType();
    const sent: PageRequest = {
      method: request.method(),
      path: url.pathname + url.search,
      isNavigation: request.isNavigationRequest(),
      type,
    };
    known.set(request, sent);
    traffic.requests.push(sent);
    const isHeld = url.pathname === traffic.held;
    if (type !== 'eventsource' && type !== 'media' && !isHeld) open.set(request, pageOf(request));
  });
  const close = (request: Request): void => void open.delete(request);
  context.on('requestfinished', close);
  context.on('requestfailed', close);
  context.on('response', (response) => {
    const sent = known.get(response.request());
    if (!sent) return;
    // Chromium never reports a request as finished if the page does not read the body.
    setTimeout(close, bodyTime, response.request()).unref();
    if (['script', 'stylesheet', 'font'].includes(sent.type)) return;
    const { cookies } = traffic;
    reading.push(
      setCookiesOf(response, onThisMachine(longestHeaders)).then((found) => {
        cookies.push(...found.map((cookie) => ({ path: sent.path, cookie })));
      }),
    );
  });
  const watch = (page: Page): void => {
    page.on('download', (download) => {
      const url = new URL(download.url());
      if (url.origin === siteOrigin && url.protocol !== 'blob:') {
        traffic.noteDownload(url.pathname + url.search);
      }
      void download.cancel();
    });
  };
  context.pages().forEach(watch);
  context.on('page', watch);
  return traffic;
}

/** Cookies set below `/__auth/` are the platform's. */
async function setCookiesOf(response: Response, within: number): Promise<string[]> {
  if (new URL(response.url()).pathname.startsWith('/__auth/')) return [];
  // After a navigation, Chromium may never deliver the headers of an earlier response.
  const headers = await withTimeout(response.headersArray(), within).catch(() => []);
  return headers
    .filter(({ name }) => name.toLowerCase() === 'set-cookie')
    .map(({ value }) => value);
}

/** A navigation request may have no frame yet, and a worker's request has none. */
function pageOf(request: Request): Page | null {
  try {
    return request.frame().page();
  } catch {
    return null;
  }
}
