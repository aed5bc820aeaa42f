/** All rules by name, without the prefix `site/`. */
import guardFirst from './identity/guard-first.js';
import identitiesApart from './identity/identities-apart.js';
import noMadeUpGuard from './identity/no-made-up-guard.js';
import profileStays from './identity/profile-stays.js';
import cookies from './frame/cookies.js';
import inlineMarkup from './frame/inline-markup.js';
import passwordField from './frame/password-field.js';
import storage from './frame/storage.js';
import nativeDownload from './navigation/native-download.js';
import platformSignIn from './navigation/platform-sign-in.js';
import targets from './navigation/targets.js';
import moduleState from './server/module-state.js';
import noToken from './server/no-token.js';
import outsideCalls from './server/outside-calls.js';
import publicRoutes from './server/public-routes.js';
import serverModules from './server/server-modules.js';
import settings from './server/settings.js';

export const rules = {
  'guard-first': guardFirst,
  'identities-apart': identitiesApart,
  'no-made-up-guard': noMadeUpGuard,
  'profile-stays': profileStays,
  targets,
  'native-download': nativeDownload,
  'platform-sign-in': platformSignIn,
  cookies,
  storage,
  'inline-markup': inlineMarkup,
  'password-field': passwordField,
  'module-state': moduleState,
  'outside-calls': outsideCalls,
  'public-routes': publicRoutes,
  settings,
  'no-token': noToken,
  'server-modules': serverModules,
};
