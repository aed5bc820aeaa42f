/* global document, history, location, matchMedia, window */
/** The platform's page: frames the site, and connects the panel to the simulator. */
import { byId, control } from './control.js';
import { beginFaults, showActive } from './faults-view.js';
import { beginLedger } from './ledger-view.js';
import { beginMailbox, showMails } from './mailbox-view.js';
import { showPeople, showUnreachable } from './people-view.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const STANDARD = ['allow-scripts', 'allow-same-origin', 'allow-forms', 'allow-downloads'];

/** The choices for the frame's `sandbox` attribute. */
const SANDBOXES = /** @type {Record<string, string[] | null>} */ ({
  none: null,
  standard: STANDARD,
  'no-downloads': STANDARD.filter((token) => token !== 'allow-downloads'),
  'no-same-origin': STANDARD.filter((token) => token !== 'allow-same-origin'),
});

const stage = byId('stage');
const address = /** @type {HTMLInputElement} */ (byId('address'));
const sandbox = /** @type {HTMLSelectElement} */ (byId('sandbox'));
let frame = /** @type {HTMLIFrameElement} */ (byId('site'));
let siteOrigin = '';
/** @type {{ persona: string | null, session: string | null }} */
let who = { persona: null, session: null };
/** @type {Promise<boolean> | null} */
let looking = null;
/** @type {Promise<boolean> | null} */
let lookingAgain = null;
/** The frame was loaded while the simulator was gone, and shows the browser's error page. */
let frameLost = false;

await begin();

async function begin() {
  const state = await control('GET', 'state');
  siteOrigin = state.siteOrigin;
  showPartsOf(state.auth);
  byId('site-origin').textContent = siteOrigin.replace('http://', '');
  sandbox.value = 'none';

  byId('address-form').addEventListener('submit', (event) => {
    event.preventDefault();
    open(address.value);
  });
  byId('reload').addEventListener('click', () => {
    open(address.value);
  });
  byId('widths').addEventListener('change', (event) => {
    stage.dataset.width = /** @type {HTMLInputElement} */ (event.target).value;
  });
  // Sandbox flags apply from the next document on, so the frame is recreated.
  sandbox.addEventListener('change', () => void renewFrame());
  window.addEventListener('message', noteIgnored);
  byId('sign-out').addEventListener('click', () => {
    openRaw(`/__auth/logout?return=${encodeURIComponent(returnPath())}`);
  });
  byId('revoke').addEventListener('click', () => {
    void control('POST', 'sessions/revoke', {}).then(refresh);
  });
  byId('expire').addEventListener('click', () => {
    void control('POST', 'sessions/advance', { ms: DAY_MS }).then(refresh);
  });

  // A phone has no room for everything at once.
  if (matchMedia('(max-width: 900px)').matches) byId('person-card').removeAttribute('open');

  beginFaults(state);
  beginMailbox(openRaw, () => void lookAtMails());
  await beginLedger(state.violationKinds, {
    onPage,
    onCall: refresh,
    onMail: () => void lookAtMails(),
    onLost: showUnreachable,
    onBack: () => void comeBack(),
  });
  const { hash } = location;
  await renewFrame(hash.startsWith('#/') ? hash.slice(1) : '/');
  await Promise.all([refresh(), lookAtMails()]);
}

async function lookAtMails() {
  try {
    showMails(await control('GET', 'mailbox'), siteOrigin);
  } catch {
    // The simulator is restarting: its mailbox will be empty.
  }
}

/**
 * Reloads the state. A call during a reload starts another one afterwards.
 * @returns {Promise<boolean>} whether the simulator responded
 */
function refresh() {
  if (looking === null) {
    looking = look().finally(() => {
      looking = null;
    });
    return looking;
  }
  lookingAgain ??= looking.then(() => {
    lookingAgain = null;
    return refresh();
  });
  return lookingAgain;
}

/** Loads who is signed in in the frame, and everybody's balance. */
async function look() {
  try {
    const [state, whoami] = await Promise.all([
      control('GET', 'state'),
      // The frame's cookies are partitioned under this page, and so are this request's.
      fetch(`${siteOrigin}/__auth/whoami`, { credentials: 'include' }),
    ]);
    who = await whoami.json();
    showPeople(state.personas, who.persona, (id) => void become(id));
    showActive(state.faults);
    return true;
  } catch {
    // The simulator is restarting; the feed reports when it is back.
    showUnreachable();
    return false;
  }
}

async function comeBack() {
  await Promise.all([refresh(), lookAtMails()]);
  if (frameLost) await renewFrame();
}

/** @param {string} persona */
async function become(persona) {
  const { url } = await control('POST', 'sessions/switch', {
    persona,
    return: returnPath(),
  });
  frame.src = url;
}

/** @param {string} path @param {string | null} session */
async function onPage(path, session) {
  // The request may be another window's, with another session, unless this frame's session has just changed.
  if (session !== who.session) await refresh();
  if (session !== who.session) return;
  if (document.activeElement !== address) address.value = path;
  history.replaceState(null, '', `#${path}`);
}

/** A site has only what its auth mode has. @param {'platform' | 'in-app' | 'both'} auth */
function showPartsOf(auth) {
  byId('person-card').hidden = auth === 'in-app';
  byId('fault-person').hidden = auth === 'in-app';
  byId('mailbox-card').hidden = auth === 'platform';
  if (auth !== 'in-app') return;
  byId('fault-hint').textContent = 'The edge responds instead of the site: reload the frame.';
  byId('empty').textContent =
    'The site makes no call to the platform. What the edge or the frame’s sandbox notes appears here.';
}

/** What a script in the frame reports that the sandbox ignored. @param {MessageEvent} event */
function noteIgnored({ source, data }) {
  if (source !== frame.contentWindow || !data?.ignoredBySandbox) return;
  void control('POST', 'frame/ignored', data.ignoredBySandbox);
}

/** @param {string} [path] */
async function renewFrame(path) {
  const tokens = SANDBOXES[sandbox.value];
  // While the simulator restarts, the frame is renewed once more when it is back.
  await control('POST', 'frame', { sandbox: tokens ?? null }).catch(() => undefined);
  const fresh = document.createElement('iframe');
  fresh.id = 'site';
  fresh.title = 'The framed site';
  if (tokens) fresh.setAttribute('sandbox', tokens.join(' '));
  fresh.addEventListener('load', () => {
    void refresh().then((isReached) => {
      frameLost = !isReached;
    });
  });
  fresh.src = siteOrigin + pathOf(path ?? address.value);
  frame.replaceWith(fresh);
  frame = fresh;
}

/** @param {string} path */
function open(path) {
  openRaw(pathOf(path));
}

/** @param {string} path */
function openRaw(path) {
  frame.src = siteOrigin + path;
}

/** What was typed, as a path of the site. @param {string} typed */
function pathOf(typed) {
  const path = typed.trim().startsWith(siteOrigin)
    ? typed.trim().slice(siteOrigin.length)
    : typed.trim();
  return path.startsWith('/') ? path : `/${path}`;
}

/** The return path: the page in the address field, unless it is one of the platform's own. */
function returnPath() {
  const path = pathOf(address.value);
  return path.startsWith('/__auth/') ? '/' : path;
}
