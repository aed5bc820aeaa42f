/* global EventSource */
/** The live ledger: newest first, with violations counted at the top. */
import { byId, control, element } from './control.js';

/** The list shows this many; the simulator keeps more. */
const SHOWN = 300;
const RECONNECT_MS = 1_000;

/** @typedef {import('../internal-api/ledger').LedgerEntry} LedgerEntry */
/** @typedef {import('../internal-api/ledger').CallEntry} CallEntry */

/** @type {Record<string, string>} */
let meanings = {};
/** @type {Map<number, HTMLLIElement>} */
const shown = new Map();
/** @type {Map<number, CallEntry>} */
const broken = new Map();

/**
 * Shows the ledger and keeps it up to date. Resolves when the feed is open or has failed to open: before
 * that, it would miss the frame's first page.
 *
 * @param {Record<string, string>} violationKinds the meaning of each kind
 * @param {object} listeners
 * @param {(path: string, session: string | null) => void} listeners.onPage called for each page that a frame
 *   requests
 * @param {() => void} listeners.onCall called for each call that was answered
 * @param {() => void} listeners.onMail called for each mail of the site
 * @param {() => void} listeners.onLost called when the simulator is gone
 * @param {() => void} listeners.onBack called when it is available again
 */
export async function beginLedger(violationKinds, listeners) {
  meanings = violationKinds;
  byId('clear-ledger').addEventListener('click', () => {
    void control('DELETE', 'ledger');
  });
  // The ledger may be below the fold; the count in the bar is always visible.
  byId('alarm').addEventListener('click', () => {
    byId('verdict').scrollIntoView({ block: 'center' });
    byId('entries').focus({ preventScroll: true });
  });
  await new Promise((begun) => {
    openFeed(listeners, begun);
  });
  await showAll();
}

/** @param {Parameters<typeof beginLedger>[1]} listeners @param {(value?: unknown) => void} [onFirst] */
function openFeed(listeners, onFirst) {
  const feed = new EventSource('/__platform/feed');
  let lost = onFirst === undefined;
  feed.addEventListener('open', () => {
    tellFeed('Live', 'good');
    // A restarted simulator has a new ledger.
    if (lost) void showAll().then(listeners.onBack);
    lost = false;
    onFirst?.();
  });
  feed.addEventListener('error', () => {
    tellFeed('Reconnecting', 'warn');
    lost = true;
    onFirst?.();
    listeners.onLost();
    // Firefox stops reconnecting when the port is closed.
    if (feed.readyState === EventSource.CLOSED) setTimeout(openFeed, RECONNECT_MS, listeners);
  });
  feed.addEventListener('entry', ({ data }) => {
    const entry = /** @type {LedgerEntry} */ (JSON.parse(data));
    show(entry);
    if (entry.kind === 'call' && entry.outcome !== 'pending') listeners.onCall();
  });
  feed.addEventListener('mail', listeners.onMail);
  feed.addEventListener('cleared', clear);
  feed.addEventListener('page', ({ data }) => {
    const { path, session } = JSON.parse(data);
    listeners.onPage(path, session);
  });
}

async function showAll() {
  /** @type {LedgerEntry[]} */
  const entries = await control('GET', 'ledger');
  clear();
  entries.slice(-SHOWN).forEach(show);
  showVerdict();
}

function clear() {
  shown.clear();
  broken.clear();
  byId('entries').replaceChildren();
  showVerdict();
}

/** @param {LedgerEntry} entry */
function show(entry) {
  const item = entry.kind === 'call' ? callItem(entry) : noteItem(entry);
  const before = shown.get(entry.id);
  if (before) before.replaceWith(item);
  else byId('entries').prepend(item);
  shown.set(entry.id, item);
  const [oldest] = shown.keys();
  if (shown.size > SHOWN && oldest !== undefined) {
    shown.get(oldest)?.remove();
    shown.delete(oldest);
  }
  if (entry.kind === 'call' && entry.violations.length > 0 && !broken.has(entry.id)) {
    broken.set(entry.id, entry);
    showVerdict();
  }
}

/** @param {CallEntry} entry */
function callItem(entry) {
  const { siteRequest, persona, fault, outcome, durationMs } = entry;
  const place = siteRequest
    ? `${siteRequest.method} ${siteRequest.path}`
    : 'outside any site request';
  const about = [
    persona ?? 'nobody',
    fault ? `fault: ${fault}` : '',
    outcome === 'answered' || outcome === 'pending' ? '' : outcome,
  ].filter(Boolean);
  return element(
    'li',
    { 'data-tone': entry.violations.length > 0 ? 'bad' : undefined },
    element(
      'div',
      { class: 'entry-line mono' },
      timeOf(entry),
      element('span', { class: 'grow line', title: entry.path }, `${entry.method} ${entry.path}`),
      element('span', { class: 'soft' }, durationMs === null ? '' : `${Math.round(durationMs)} ms`),
      statusOf(entry),
    ),
    element(
      'div',
      { class: 'entry-about soft fine' },
      ...about.map((text) => element('span', {}, text)),
      element('span', { class: 'grow line', title: place }, place),
    ),
    ...entry.violations.map((kind) =>
      element(
        'div',
        { class: 'fine strong toned', title: meanings[kind] },
        kind.replaceAll('_', ' '),
      ),
    ),
  );
}

/** @param {import('../internal-api/ledger').NoteEntry} entry */
function noteItem(entry) {
  return element(
    'li',
    { 'data-note': '' },
    element(
      'div',
      { class: 'entry-line mono' },
      timeOf(entry),
      element('span', { class: 'grow line' }, entry.note.replaceAll('_', ' ')),
    ),
    element('div', { class: 'entry-about soft fine' }, entry.detail),
  );
}

/** @param {CallEntry} entry */
function statusOf({ status, outcome }) {
  const failed = outcome === 'cut' || outcome === 'aborted' || (status ?? 0) >= 500;
  const tone = failed ? 'bad' : (status ?? 0) >= 300 ? 'warn' : 'good';
  const text = outcome === 'pending' ? '…' : String(status ?? '—');
  return element(
    'span',
    { class: 'status strong toned', 'data-tone': outcome === 'pending' ? undefined : tone },
    text,
  );
}

/** @param {LedgerEntry} entry */
function timeOf({ at }) {
  const time = new Date(at).toLocaleTimeString([], { hour12: false });
  return element('time', { class: 'soft', datetime: at }, time);
}

function showVerdict() {
  const verdict = byId('verdict');
  const alarm = byId('alarm');
  alarm.hidden = broken.size === 0;
  alarm.textContent = broken.size === 1 ? '1 violation' : `${broken.size} violations`;
  verdict.dataset.tone = broken.size > 0 ? 'bad' : 'good';
  verdict.classList.toggle('strong', broken.size > 0);
  if (broken.size === 0) {
    verdict.replaceChildren('No violations');
    return;
  }
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { violations } of broken.values()) {
    for (const kind of violations) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  verdict.replaceChildren(
    broken.size === 1 ? '1 call broke the contract' : `${broken.size} calls broke the contract`,
    element(
      'ul',
      {},
      ...[...counts].map(([kind, count]) =>
        element('li', {}, `${count} × ${meanings[kind] ?? kind}`),
      ),
    ),
  );
}

/** @param {string} text @param {string} tone */
function tellFeed(text, tone) {
  const chip = byId('feed-state');
  chip.textContent = text;
  chip.dataset.tone = tone;
}
