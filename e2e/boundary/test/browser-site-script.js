/* global document, history, location, window */
/** The browser's side of `browser-site.mjs`: it confirms who is there, and then lets the form be used. */
const { sin } = document.body.dataset;
const fieldset = document.querySelector('form.scripted fieldset');

void confirmUser();

// A visitor who comes back may not be signed in any more.
if (sin !== 'usable-after-session') {
  window.addEventListener('focus', () => void confirmUser());
}

async function confirmUser() {
  const response = await fetch('/api/user');
  const isIn = response.ok;
  if (!isIn && document.body.dataset.visitor === 'in' && sin !== 'shown-after-session') {
    location.reload();
    return;
  }
  if (fieldset) fieldset.toggleAttribute('disabled', !isIn && sin !== 'enabled-by-the-browser');
  if (sin === 'feed-for-strangers' || (sin === 'reads-later' && isIn)) await fetch('/api/prints');
}

const deeds = {
  order: () => fetch('/api/prints', { method: 'POST' }),
  window: () => window.open('/api/prints'),
  location: () => location.assign('/api/prints'),
  download: () => {
    const anchor = document.createElement('a');
    anchor.href = '/api/prints?slow';
    anchor.download = '';
    anchor.click();
  },
  frame: () => {
    const frame = document.createElement('iframe');
    frame.title = 'A file';
    frame.src = '/api/prints';
    document.body.append(frame);
  },
  menu: () => document.querySelector('[data-menu]')?.toggleAttribute('hidden', false),
  leave: () => window.open('/', '_top'),
  back: () => history.back(),
  logout: () => fetch('/__auth/logout'),
  nothing: () => undefined,
};

for (const element of document.querySelectorAll('[data-does]')) {
  const name = element.matches('select, input') ? 'change' : 'click';
  const deed = /** @type {any} */ (deeds)[/** @type {HTMLElement} */ (element).dataset.does ?? ''];
  element.addEventListener(name, () => void deed());
}

// eslint-disable-next-line no-console -- this is what must be heard
if (sin === 'console') console.error('a complaint');
// An honest page that goes on by itself, while it is looked at.
if (sin === 'moves-on') setTimeout(() => location.replace('/prints'), 300);
if (sin === 'never-stays') setTimeout(() => location.replace(`?${Math.random()}`), 30);
if (sin === 'polls-for-strangers') setInterval(() => void fetch('/api/prints'), 400);
if (sin === 'style-by-script') document.body.setAttribute('style', 'margin: 2rem');
if (sin === 'script-cookie') document.cookie = 'theme=dark; Path=/';
if (sin === 'trap') {
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Tab') event.preventDefault();
  });
}
if (sin === 'throws')
  setTimeout(() => {
    throw new Error('thrown on the page');
  });
