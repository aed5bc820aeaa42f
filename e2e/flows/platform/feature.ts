/** What the platform adds to the site under test. */
import type { SiteFeature } from '@gatehouse/simulator';
import * as resources from '../../../app/platform/simulated';

export default { auth: 'platform', resources } satisfies SiteFeature;
