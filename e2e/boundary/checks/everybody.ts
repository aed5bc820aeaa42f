/** Whether a page can be used by everybody: signed in and signed out. */
import { routeOf } from '../crawl/match';
import type { ProofBrowser } from '../visit/proof-browser';
import type { RouteUnderProof, Stage } from '../stage/stage';
import { pagesOf, visitPage, type PageView } from '../visit/visit-page';
import type { Check } from './check';

/** Of the complaints of one page, how many its finding quotes. */
const quoted = 3;

export function everybody(browser: ProofBrowser): Check {
  return {
    name: 'everybody',
    run: async (stage) => {
      const look = async (route: RouteUnderProof) => {
        const { stranger, member } = await visitPage(browser, stage, route);
        judge(stage, route, member, 'signed in');
        judge(stage, route, stranger, 'signed out');
        // The frame has dropped the cookie of the account, which is a finding of its own.
        if (route.access === 'account' && stage.site && !isShown(member, route, stage)) {
          const why = `Signed in, ${member.landed} is shown in the place of ${route.path}.`;
          stage.report.notObserved('everybody', route, why);
        }
        if (!member.usability) {
          const why = `Signed in, ${member.landed} is no page of the site.`;
          stage.report.notObserved('everybody', route, why);
        }
        stage.report.looked('everybody', route);
      };
      await Promise.all(pagesOf(stage).map(look));
    },
  };
}

function isShown({ landed }: PageView, { id }: RouteUnderProof, { inventory }: Stage): boolean {
  return routeOf(inventory, landed)?.id === id;
}

function judge(
  { report }: Stage,
  route: RouteUnderProof,
  { usability, landed }: PageView,
  who: string,
): void {
  if (!usability) return;
  const { complaints, sideways, unreached } = usability;
  if (complaints.length > 0) {
    const some = complaints.slice(0, quoted).map((text) => text.replaceAll(/\s+/g, ' '));
    const more = complaints.length > quoted ? `, and ${complaints.length - quoted} more` : '';
    const message = `On ${landed}, ${who}, axe complains: ${some.join('; ')}${more}.`;
    report.find('everybody/accessibility', route, message);
  }
  if (sideways) {
    const message = `On a screen of 320 px ${landed}, ${who}, is ${sideways.width} px wide, because of ${sideways.element}.`;
    report.find('everybody/sideways', route, message);
  }
  if (unreached.length > 0) {
    const names = unreached.slice(0, quoted).map((name) => `“${name}”`);
    const message = `On ${landed}, ${who}, the Tab key does not come to ${names.join(', ')}.`;
    report.find('everybody/keyboard', route, message);
  }
}
