/** What the studio adds to the site under test: its files, and the requests that only scripts send. */
import { toSafeProfile } from '@gatehouse/platform';
import type { CrawlParts, SiteFeature } from '@gatehouse/simulator';
import type { StateOf } from '@gatehouse/simulator/operations';
import { drawPicture } from '@gatehouse/simulator/samples';
import { ownWorkspaceId } from '../../../app/platform/simulated/workspaces';
import type * as resources from '../../../app/platform/simulated';

/** The account whose page sends it. */
const accountOf = (profile: unknown) => `account=${toSafeProfile(profile).key}`;

type Parts = CrawlParts<StateOf<typeof resources>>;

export default {
  prepare({ state, person }: Parts) {
    const { id } = state.generations.submit(person, 'A lighthouse');
    const media = state.media.add(person, 'image/png', drawPicture('A lighthouse'));
    return [
      `/api/generations/${id}/output.png`,
      `/api/generations/archive?id=${id}`,
      `/api/media/${media.id}/file.png`,
    ];
  },
  requests: () => [
    ({ profile }: Parts) => ({
      method: 'POST',
      path: `/api/generations?${accountOf(profile)}`,
      json: { prompts: ['A lighthouse'] },
      headers: { 'idempotency-key': 'a-lighthouse-by-a-script' },
    }),
    ({ state, person }: Parts) => ({
      method: 'POST',
      path: `/api/generations/${state.generations.submit(person, 'A harbour').id}/cancel`,
    }),
    ({ state, person }: Parts) => ({
      method: 'POST',
      path: `/api/generations/${state.generations.submit(person, 'A harbour').id}/restore`,
    }),
    ({ state, person }: Parts) => ({
      method: 'DELETE',
      path: `/api/generations/${state.generations.submit(person, 'A mistake').id}`,
    }),
    ({ profile }: Parts) => ({
      method: 'POST',
      path: `/api/media?${accountOf(profile)}`,
      body: drawPicture('A lighthouse'),
      headers: { 'content-type': 'image/png' },
    }),
    ({ state, person }: Parts) => ({
      method: 'DELETE',
      path: `/api/media/${state.media.add(person, 'image/png', drawPicture('A mistake')).id}`,
    }),
    ({ person }: Parts) => ({
      method: 'POST',
      path: '/api/workspaces',
      json: { id: ownWorkspaceId(person) },
    }),
  ],
} satisfies SiteFeature;
