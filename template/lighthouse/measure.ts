/** Runs Lighthouse once on one page. */
import lighthouse from 'lighthouse';

export interface Visit {
  name: string;
  url: string;
  /** The browser's remote debugging port. */
  port: number;
  isSignedIn: boolean;
  /** Whether the page needs a visitor, and so is not for search engines. */
  isHidden: boolean;
}

export interface Report {
  name: string;
  /** From 0 to 100. */
  scores: Record<Category, number>;
  /** The titles of failed audits, by category. Without performance, whose audits have gradual scores. */
  findings: string[];
  /** Categories whose only failed audit is required by the contract, or is meant. */
  excused: ReadonlySet<string>;
}

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
type Category = (typeof categories)[number];

/** @throws {Error} when Lighthouse could not load the page. */
export async function measure({ name, url, port, isSignedIn, isHidden }: Visit): Promise<Report> {
  const onlyCategories = [...categories];
  const result = (await lighthouse(url, { port, logLevel: 'error', onlyCategories }))?.lhr;
  if (!result || result.runtimeError) {
    throw new Error(`Lighthouse could not load ${url}: ${result?.runtimeError?.message}`);
  }
  const { audits } = result;
  const failedIn = (category: Category) =>
    (result.categories[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => id);
  const scoreOf = (category: Category) =>
    Math.round((result.categories[category]?.score ?? 0) * 100);

  const excused = new Set<string>();
  const [practice, ...others] = failedIn('best-practices');
  const logged = audits['errors-in-console']?.details;
  // W03 and W14: signed out, `/api/user` responds with 401, which the browser logs as an error.
  if (
    !isSignedIn &&
    practice === 'errors-in-console' &&
    others.length === 0 &&
    logged?.type === 'table' &&
    logged.items.every((item) => isUserRefusal(JSON.stringify(item)))
  ) {
    excused.add('best-practices');
  }
  if (isHidden && failedIn('seo').join() === 'is-crawlable') excused.add('seo');
  return {
    name,
    scores: {
      performance: scoreOf('performance'),
      accessibility: scoreOf('accessibility'),
      'best-practices': scoreOf('best-practices'),
      seo: scoreOf('seo'),
    },
    findings: (['accessibility', 'best-practices', 'seo'] as const).flatMap((category) =>
      failedIn(category).map((id) => `${category}: ${audits[id]?.title}`),
    ),
    excused,
  };
}

function isUserRefusal(item: string): boolean {
  return item.includes('/api/user') && item.includes('status of 401');
}
