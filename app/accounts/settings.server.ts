/** What site accounts need: their store, their keys and their mail. */
import { accountSettings } from '@gatehouse/accounts/settings';
import { problemOfHost } from '@gatehouse/server/origins';
import { trustedProxies, type Settings } from '@gatehouse/server/settings';
import { databaseSetting } from '@gatehouse/store/settings';

export default {
  databaseUrl: databaseSetting(problemOfHost),
  ...accountSettings(problemOfHost),
  trustedProxies,
} as const satisfies Settings;
