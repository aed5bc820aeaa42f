/** The site under test, for the simulator and the flows. */
import * as settings from '../app/settings.server';
import { siteAccounts } from './flows/accounts/site-accounts'; // auth: accounts
import { defineSite } from '@gatehouse/simulator';
import { platform } from './platform';
// auth: platform
import { drawPicture } from '@gatehouse/simulator/samples';
import { ownWorkspaceId } from '../app/platform/simulated/workspaces'; // sample: studio
// /auth

/** Those with settings. */
const has = (feature: string) => Object.hasOwn(settings, feature);

export default defineSite({
  platform,
  auth: has('accounts') ? (has('platform') ? 'both' : 'in-app') : 'platform',
  accounts: siteAccounts, // auth: accounts
  // auth: platform
  prepare({ state, person }) {
    const { id } = state.generations.submit(person, 'A lighthouse');
    const media = state.media.add(person, 'image/png', drawPicture('A lighthouse'));
    return [
      `/api/generations/${id}/output.png`,
      `/api/media/${media.id}/file.png`,
      `/api/generations/archive?id=${id}`, // sample: studio
    ];
  },
  // /auth
  requests: () => [
    // Requests that only scripts send, not forms.
    // sample: studio
    {
      method: 'POST',
      path: '/api/generations',
      json: { prompts: ['A lighthouse'] },
      headers: { 'idempotency-key': 'a-lighthouse-by-a-script' },
    },
    ({ state, person }) => ({
      method: 'POST',
      path: `/api/generations/${state.generations.submit(person, 'A harbour').id}/cancel`,
    }),
    ({ state, person }) => ({
      method: 'POST',
      path: `/api/generations/${state.generations.submit(person, 'A harbour').id}/restore`,
    }),
    ({ state, person }) => ({
      method: 'DELETE',
      path: `/api/generations/${state.generations.submit(person, 'A mistake').id}`,
    }),
    {
      method: 'POST',
      path: '/api/media',
      body: drawPicture('A lighthouse'),
      headers: { 'content-type': 'image/png' },
    },
    ({ state, person }) => ({
      method: 'DELETE',
      path: `/api/media/${state.media.add(person, 'image/png', drawPicture('A mistake')).id}`,
    }),
    ({ person }) => ({
      method: 'POST',
      path: '/api/workspaces',
      json: { id: ownWorkspaceId(person) },
    }),
    // /sample
  ],
});
