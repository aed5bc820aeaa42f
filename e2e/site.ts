/** The site under test, for the simulator and the flows. Each feature adds its own. */
import * as declaredSettings from '../app/settings.server';
import { defineSite } from '@gatehouse/simulator';
import * as features from './features';
import { platform } from './platform';

export default defineSite({
  platform,
  features,
  declaredSettings,
  // Values of settings, by their names.
  settings: {},
  // Addresses that no page links to.
  addresses: [],
  requests: () => [
    // Requests that only scripts send, not forms.
  ],
});
