/** The site under test, as the simulator and the flows know it. */
import { auth } from '../app/site.config';
import { defineSite } from './harness/definition';
import { platform } from './platform';

export default defineSite({
  platform,
  auth,
  // auth: platform
  prepare({ state, person }) {
    const { id } = state.generations.submit(person, 'A lighthouse');
    return [`/api/generations/${id}/output.png`];
  },
  // /auth
  requests: () => [
    // What scripts send, and no form does.
    { method: 'POST', path: '/api/generations', json: { prompt: 'A lighthouse' } }, // sample: studio
  ],
});
