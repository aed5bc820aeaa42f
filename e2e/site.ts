/** The site under test, for the simulator and the flows. Each feature adds its own. */
import * as declaredSettings from '../app/settings.server';
import { defineSite } from '@gatehouse/simulator';
import * as features from './features';
import { platform } from './platform';

export default defineSite({
  platform,
  features,
  declaredSettings,
  settings: {
    // Values, by the names of the settings.
  },
  addresses: [], // Those that no page links to.
  requests: () => [
    // Requests that only scripts send, not forms.
  ],
});
