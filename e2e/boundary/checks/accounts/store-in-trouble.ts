/**
 * Another process holds the site's store, so that nothing can be written: whatever is asked meanwhile is answered, by
 * the page as it is or by a 503, and when the store is free again all is well without anybody's doing. That nobody is
 * shown another person's rows instead is noticed by `stage/listen.ts`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { readPageText } from '../../crawl/page-contents';
import type { SiteRequest } from '../../people/site-request';
import type { RouteUnderProof, Stage } from '../../stage/stage';
import type { Check } from '../check';

/** Milliseconds in which all is well again. */
const recoverWithin = 3_000;

/** @param answerWithin milliseconds in which even a write that waits for the store has been given up. */
export const storeInTrouble = (answerWithin = 15_000): Check => ({
  name: 'trouble',
  async run(stage) {
    const [person] = stage.seeded;
    const { site } = stage;
    if (!site?.store || !person.account) return;
    const asked = stage.routes.flatMap((route) =>
      requestsOf(route, stage).map((request) => ({ route, request })),
    );
    const well = new Set<SiteRequest>();
    // A form may be refused, and one that is sent a second time may break by itself: that is no matter of the store's.
    for (const { request } of asked) {
      if ((await stage.ask(person, request)).status < 500) well.add(request);
    }
    await site.accounts.renew(person.account);
    const struck = asked.filter(({ request }) => well.has(request));
    const release = site.store.lock();
    try {
      await Promise.all(struck.map((one) => askWhileLocked(stage, one, answerWithin)));
    } finally {
      release();
    }
    await site.accounts.renew(person.account);
    const deadline = Date.now() + recoverWithin;
    await Promise.all(struck.map((one) => askAfterwards(stage, one, deadline)));
    for (const { route } of struck) stage.report.looked('trouble', route);
  },
});

interface Asked {
  route: RouteUnderProof;
  request: SiteRequest;
}

/** A page and a form of each route, but for what would end the session in which all of it is asked. */
function requestsOf(route: RouteUnderProof, { seeded: [person] }: Stage): SiteRequest[] {
  const [path] = route.addresses.get(person) ?? [];
  const submissions = route.submissions.get(person) ?? [];
  const submission = submissions.find(({ endsSession }) => !endsSession);
  return [...(path === undefined ? [] : [{ path }]), ...(submission ? [submission] : [])];
}

async function askWhileLocked(
  { ask, report, seeded: [person] }: Stage,
  { route, request }: Asked,
  answerWithin: number,
): Promise<void> {
  const at = `${request.method ?? 'GET'} ${request.path}, while another process holds the store,`;
  const signal = AbortSignal.timeout(answerWithin);
  const answer = await ask(person, { ...request, signal }).catch(() => null);
  if (!answer) {
    const how = signal.aborted ? `has no answer after ${answerWithin / 1000} s` : 'is cut off';
    report.find('trouble/store-no-answer', route, `${at} ${how}.`);
    return;
  }
  const { status, headers, text } = answer;
  if (status >= 500 && status !== 503) {
    report.find('trouble/store-error', route, `${at} is answered ${status}, and not 503.`);
  }
  const isHtml = /html/.test(headers['content-type'] ?? '');
  if (status >= 500 && isHtml && readPageText(text) === '') {
    report.find('trouble/blank', route, `${at} is a page without a word.`);
  }
}

async function askAfterwards(
  { ask, report, seeded: [person] }: Stage,
  { route, request }: Asked,
  deadline: number,
): Promise<void> {
  // A busy machine may take that long for one answer.
  for (let tries = 0; tries < 3 || Date.now() < deadline; tries++) {
    const signal = AbortSignal.timeout(recoverWithin * 2);
    const answer = await ask(person, { ...request, signal }).catch(() => null);
    if (answer && answer.status < 500) return;
    await pause(betweenTries);
  }
  const at = `${request.method ?? 'GET'} ${request.path}`;
  const message = `${at} still fails 3 s after the store, which another process held, is free again.`;
  report.find('trouble/store-not-recovered', route, message);
}

/** Milliseconds. */
const betweenTries = 100;
