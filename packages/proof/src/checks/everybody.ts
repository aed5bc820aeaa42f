/** Accessibility of a page, signed in and signed out: axe, reflow at 320 px and keyboard access. */
import { routeOf } from '../crawl/match.ts';
import type { ProofBrowser } from '../visit/proof-browser.ts';
import type { RouteUnderProof, Stage } from '../stage/stage.ts';
import { pagesOf, visitPage, type PageView } from '../visit/visit-page.ts';
import { checkRoutes, type Check } from './check.ts';

/** How many axe violations, or control names, one message quotes. */
const quoted = 3;

export function everybody(browser: ProofBrowser): Check {
  return {
    name: 'everybody',
    run: async (stage) => {
      const checkPage = async (route: RouteUnderProof) => {
        const { stranger, member } = await visitPage(browser, stage, route);
        reportView(stage, route, member, 'signed in');
        reportView(stage, route, stranger, 'signed out');
        // The frame dropped the account's cookie, which is reported separately.
        if (route.access === 'account' && stage.site && !isShown(member, route, stage)) {
          const why = `signed in, the frame showed ${member.landed} instead of ${route.path}`;
          stage.report.notObserved('everybody', route, why);
        }
        if (!member.usability) {
          const why = `signed in, the frame ended up at ${member.landed}, where no page of the site could be tested`;
          stage.report.notObserved('everybody', route, why);
        }
        stage.report.checked('everybody', route);
      };
      await checkRoutes(stage, 'everybody', pagesOf(stage), checkPage, { concurrency: Infinity });
    },
  };
}

function isShown({ landed }: PageView, { id }: RouteUnderProof, { inventory }: Stage): boolean {
  return routeOf(inventory, landed)?.id === id;
}

function reportView(
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
    const message = `On ${landed}, ${who}, axe reports: ${some.join('; ')}${more}.`;
    report.find('everybody/accessibility', route, message);
  }
  if (sideways) {
    const message = `On a screen 320 px wide, ${landed}, ${who}, scrolls horizontally: ${sideways.element} makes it ${sideways.width} px wide.`;
    report.find('everybody/sideways', route, message);
  }
  if (unreached.length > 0) {
    const names = unreached.slice(0, quoted).map((name) => `“${name}”`);
    const message = `On ${landed}, ${who}, the Tab key does not reach ${names.join(', ')}.`;
    report.find('everybody/keyboard', route, message);
  }
}
