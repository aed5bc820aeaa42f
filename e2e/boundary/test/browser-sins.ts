/** What `browser-site.mjs` can do wrong, and the one code by which it is told. */
import type { FindingCode } from '../checks/finding';

export const browserSins: Readonly<Record<string, FindingCode>> = {
  'enabled-by-the-server': 'signed-out-page/usable-control',
  'enabled-by-the-browser': 'signed-out-page/usable-control',
  'enabled-without-script': 'signed-out-page/usable-control',
  'button-that-asks': 'signed-out-page/usable-control',
  'switch-that-asks': 'signed-out-page/usable-control',
  'upload-that-asks': 'signed-out-page/usable-control',
  'feed-for-strangers': 'signed-out-page/asked',
  'no-panel': 'signed-out-page/no-panel',
  'no-explanation': 'signed-out-page/no-panel',
  'wrong-return': 'signed-out-page/return-path',
  'drops-query': 'signed-out-page/return-path',
  'x-frame': 'frame/not-shown',
  console: 'frame/noise',
  throws: 'frame/noise',
  'inline-style': 'frame/noise',
  'lax-cookie': 'frame/cookie',
  'script-cookie': 'frame/cookie',
  'download-link': 'frame/native-download',
  'file-link': 'frame/native-download',
  'file-shown': 'frame/native-download',
  'window-open': 'frame/native-download',
  location: 'frame/native-download',
  'get-form': 'frame/native-download',
  'hidden-frame': 'frame/native-download',
  'auth-by-script': 'frame/auth-fetched',
  'no-name': 'everybody/accessibility',
  pale: 'everybody/accessibility',
  wide: 'everybody/sideways',
  'no-stop': 'everybody/keyboard',
  trap: 'everybody/keyboard',
};

/** The platform has to fail for these to be seen. */
export const troubleSins: Readonly<Record<string, FindingCode>> = {
  blank: 'trouble/blank',
  hangs: 'trouble/no-answer',
  'upstream-words': 'trouble/secret-shown',
  'no-way-back': 'trouble/no-way-back',
  'sent-away': 'trouble/sent-to-sign-in',
};
