/** What the platform adds to the site under test. */
import type { CrawlParts, SiteFeature } from '@gatehouse/simulator';
import type { StateOf } from '@gatehouse/simulator/operations';
import * as resources from '../../../app/platform/simulated';

/** The simulated platform's state, and who is signed in. */
export type Parts = CrawlParts<StateOf<typeof resources>>;

export default { auth: 'platform', resources } satisfies SiteFeature;
