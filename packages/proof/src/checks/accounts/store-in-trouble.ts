/**
 * Another process holds the write lock of the site's store. Every request must get its normal response or a 503
 * meanwhile, and must work again once the lock is released. `stage/listen.ts` reports other people's rows in a response.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { readPageText } from '../../crawl/page-contents.ts';
import type { SiteRequest } from '../../people/site-request.ts';
import { nullIfNoResponse, type RouteUnderProof, type Stage } from '../../stage/stage.ts';
import type { Check } from '../check.ts';

/** Milliseconds for a request to work again after the lock is released. */
const recoverWithin = 3_000;

/** @param longest milliseconds on an ordinary machine within which the site must respond; longer than a write waits for the lock. */
export const storeInTrouble = (longest = 15_000): Check => ({
  name: 'trouble',
  async run(stage) {
    const respondWithin = stage.onThisMachine(longest);
    const [person] = stage.seeded;
    const { site } = stage;
    if (!site?.store || !person.account) return;
    const all = stage.routes.flatMap((route) =>
      requestsOf(route, stage).map((request) => ({ route, request })),
    );
    const working = new Set<SiteRequest>();
    // Only requests that work without the lock: a form that is submitted again may fail for other reasons.
    for (const { request } of all) {
      const response = await stage.send(person, request).catch(nullIfNoResponse);
      if (response && response.status < 500) working.add(request);
    }
    await site.accounts.renew(person.account);
    const affected = all.filter(({ request }) => working.has(request));
    const release = site.store.lock();
    try {
      await Promise.all(affected.map((item) => sendWhileLocked(stage, item, respondWithin)));
    } finally {
      release();
    }
    await site.accounts.renew(person.account);
    const deadline = Date.now() + recoverWithin;
    await Promise.all(affected.map((item) => sendAfterwards(stage, item, deadline)));
    for (const { route } of affected) stage.report.checked('trouble', route);
  },
});

interface RouteRequest {
  route: RouteUnderProof;
  request: SiteRequest;
}

/** One page and one form of each route, without forms that would end the session. */
function requestsOf(route: RouteUnderProof, { seeded: [person] }: Stage): SiteRequest[] {
  const [path] = route.addresses.get(person) ?? [];
  const submissions = route.submissions.get(person) ?? [];
  const submission = submissions.find(({ endsSession }) => !endsSession);
  return [...(path === undefined ? [] : [{ path }]), ...(submission ? [submission] : [])];
}

async function sendWhileLocked(
  { send, report, seeded: [person] }: Stage,
  { route, request }: RouteRequest,
  respondWithin: number,
): Promise<void> {
  const at = `While another process holds the store’s write lock, ${request.method ?? 'GET'} ${request.path}`;
  const signal = AbortSignal.timeout(respondWithin);
  const response = await send(person, { ...request, signal }).catch(() => null);
  if (!response) {
    const how = signal.aborted
      ? `got no response within ${Math.round(respondWithin / 1000)} s`
      : 'was cut off';
    report.find('trouble/store-no-response', route, `${at} ${how}.`);
    return;
  }
  const { status, headers, text } = response;
  if (status >= 500 && status !== 503) {
    report.find('trouble/store-error', route, `${at} returned ${status} instead of 503.`);
  }
  const isHtml = /html/.test(headers['content-type'] ?? '');
  if (status >= 500 && isHtml && readPageText(text) === '') {
    report.find('trouble/blank', route, `${at} returned a page without text.`);
  }
}

async function sendAfterwards(
  { send, report, onThisMachine, seeded: [person] }: Stage,
  { route, request }: RouteRequest,
  deadline: number,
): Promise<void> {
  // On a busy machine one response may take that long.
  for (let tries = 0; tries < 3 || Date.now() < deadline; tries++) {
    const signal = AbortSignal.timeout(onThisMachine(recoverWithin * 2));
    const response = await send(person, { ...request, signal }).catch(() => null);
    if (response && response.status < 500) return;
    await pause(betweenTries);
  }
  const at = `${request.method ?? 'GET'} ${request.path}`;
  const message = `${at} still fails 3 s after another process released the store’s write lock.`;
  report.find('trouble/store-not-recovered', route, message);
}

/** Milliseconds. */
const betweenTries = 100;
