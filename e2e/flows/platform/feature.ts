/** What the platform adds to the site under test. */
import type { CrawlParts, SiteFeature } from '@gatehouse/simulator';
import type { StateOf } from '@gatehouse/simulator/operations';
import { drawPicture } from '@gatehouse/simulator/samples';
import * as resources from '../../../app/platform/simulated';

/** The simulated platform's state, and who is signed in. */
export type Parts = CrawlParts<StateOf<typeof resources>>;

export default {
  auth: 'platform',
  resources,
  prepare({ state, person }: Parts) {
    const { id } = state.generations.submit(person, 'A lighthouse');
    const media = state.media.add(person, 'image/png', drawPicture('A lighthouse'));
    return [`/api/generations/${id}/output.png`, `/api/media/${media.id}/file.png`];
  },
} satisfies SiteFeature;
