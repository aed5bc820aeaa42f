/**
 * What needs a site account refuses everybody who has none, in every form in which it can be asked: nobody, and
 * whoever is signed in to the platform alone (W29). Nothing of what the site keeps has changed then. One request after
 * the other, since rows do not tell who changed them.
 */
import type { Answer } from '../../../harness/browser/visitor-http';
import type { Person } from '../../people/people';
import type { SiteRequest } from '../../people/site-request';
import type { RouteUnderProof, Stage } from '../../stage/stage';
import { changedTables, withoutFile } from '../../stage/store';
import type { Check } from '../check';
import { formsOf } from '../request-forms';

export const accountStrangers: Check = {
  name: 'signed-out',
  async run(stage) {
    for (const route of stage.routes) {
      if (route.access === 'account') await lookAt(route, stage);
    }
  },
};

async function lookAt(route: RouteUnderProof, stage: Stage): Promise<void> {
  const { report, auth, site, seeded } = stage;
  if (!site && auth !== 'platform') {
    const message = `${route.path} needs a site account, and nobody of the proof has one.`;
    report.find('signed-out/no-account', route, message);
  }
  const strangers = auth === 'in-app' ? [null] : [null, seeded[0]];
  if (site && !site.store) report.notObserved('signed-out', route, withoutFile);
  const { reads, writes } = formsOf(route, stage);
  for (const who of strangers) {
    // Reads go out together: none of them may write, so one comparison covers all.
    await changesBy(stage, route, who, reads);
    for (const write of writes) await changesBy(stage, route, who, [write]);
  }
}

async function changesBy(
  stage: Stage,
  route: RouteUnderProof,
  who: Person | null,
  requests: readonly SiteRequest[],
): Promise<void> {
  const { report, site } = stage;
  const before = site?.store?.snapshot();
  const whom = who ? 'Signed in to the platform alone' : 'Signed out';
  await Promise.all(
    requests.map(async (request) => {
      const answer = await stage.ask(who, { ...request, only: 'platform' });
      const { status, headers } = answer;
      const at = `${whom}, ${request.method ?? 'GET'} ${request.path} is answered ${status}`;
      if (status >= 500) {
        report.find('signed-out/server-error', route, `${at}.`);
      } else if (!isRefused(answer) && !isNoAddress(route, request, answer)) {
        const { location } = headers;
        const message = `${at}${location ? `, to ${location}` : ''}, not refused.`;
        report.find('signed-out/account-not-refused', route, message);
      }
    }),
  );
  if (!before || !site?.store) return;
  const [table] = changedTables(before, site.store.snapshot(), site.passingTables);
  if (table === undefined) return;
  const [request] = requests;
  const message = `${whom}, ${request?.method ?? 'GET'} ${request?.path ?? ''} changed rows of the table ${table}.`;
  report.find('signed-out/store-changed', route, message);
}

/** A redirect to a page of the site is a refusal. Remix encodes redirects of data requests in the body. */
function isRefused({ status, headers: { location = '' }, text }: Answer): boolean {
  const isRedirect = (status >= 300 && status < 400) || status === 202;
  const isSentToSignIn = isRedirect && /^\/(?!\/|__auth\/)/.test(location);
  const isSentByData = /"SingleFetchRedirect"/.test(text) && !text.includes('"/__auth/');
  const isForbidden = status === 401 || status === 405 || /"account_required"/.test(text);
  return isSentToSignIn || isSentByData || isForbidden;
}

/** A resource has no data of a page. */
function isNoAddress(
  { kind }: RouteUnderProof,
  { path }: SiteRequest,
  { status }: Answer,
): boolean {
  return kind === 'resource' && status === 404 && /\.data(\?|$)/.test(path);
}
