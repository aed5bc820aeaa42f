/** How this site reaches the platform. */
import { internalUrl, oneOf, type Settings } from '@gatehouse/server/settings';

export default {
  /** Base URL, without a trailing slash. Empty in the demo. */
  platformInternalUrl: {
    name: 'PLATFORM_INTERNAL_URL',
    schema: internalUrl.optional(),
    about: 'The address the platform gives the site for `GET /user` and the SDK.',
    example: 'http://127.0.0.1:4001',
    usually: 'required',
    // The demo never calls the platform (W31), so it must not have its address.
    problem: (value, { offlineDemo }) => {
      if (offlineDemo === (value === undefined)) return null;
      return offlineDemo
        ? 'must not be set together with OFFLINE_DEMO=1'
        : 'is required: the address the platform gives this site for GET /user';
    },
    fallback: () => '',
  },
  /** W31: no platform, and no internal calls. */
  offlineDemo: {
    name: 'OFFLINE_DEMO',
    schema: oneOf('0', '1')
      .default('0')
      .transform((value) => value === '1'),
    about:
      '`1` runs without a platform: data in memory, one person per browser (by a cookie), no internal calls. `PLATFORM_INTERNAL_URL` must then be unset.',
    example: '0',
  },
} as const satisfies Settings;
