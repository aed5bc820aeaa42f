/* global document, history, location, window */
/** The client script of `browser-site.mjs`: enables the form once `/api/user` has confirmed the visitor. */
const { mistake } = document.body.dataset;
const fieldset = document.querySelector('form.scripted fieldset');

void confirmUser();

// The session may have ended when a visitor returns.
if (mistake !== 'usable-after-session') {
  window.addEventListener('focus', () => void confirmUser());
}

async function confirmUser() {
  const response = await fetch('/api/user');
  const isIn = response.ok;
  if (!isIn && document.body.dataset.visitor === 'in' && mistake !== 'shown-after-session') {
    location.reload();
    return;
  }
  if (fieldset) fieldset.toggleAttribute('disabled', !isIn && mistake !== 'enabled-by-the-browser');
  if (mistake === 'feed-for-strangers' || (mistake === 'reads-later' && isIn))
    await fetch('/api/prints');
}

/** @param {HTMLElement} button */
async function save({ dataset: { name = '', type } }) {
  const bytes = await (await fetch('/api/prints')).blob();
  const anchor = document.createElement('a');
  anchor.href = URL.createObjectURL(type === undefined ? bytes : new Blob([bytes], { type }));
  anchor.download = name;
  anchor.click();
}

const handlers = {
  save,
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

for (const element of document.querySelectorAll('[data-action]')) {
  const isText = element.matches('input[name=words]');
  const name = isText ? 'keydown' : element.matches('select, input') ? 'change' : 'click';
  const handler = /** @type {any} */ (handlers)[
    /** @type {HTMLElement} */ (element).dataset.action ?? ''
  ];
  element.addEventListener(name, (event) => {
    if (!isText || /** @type {KeyboardEvent} */ (event).key === 'Enter') void handler(element);
  });
}

// eslint-disable-next-line no-console -- the mistake under test
if (mistake === 'console') console.error('a complaint');
// A correct page that navigates by itself during the visit.
if (mistake === 'moves-on') setTimeout(() => location.replace('/prints'), 300);
if (mistake === 'never-stays') setTimeout(() => location.replace(`?${Math.random()}`), 30);
// Once the page has loaded, so that it is the calls into the page that get no response.
if (mistake === 'never-rests') {
  setTimeout(() => {
    for (;;);
  }, 500);
}
if (mistake === 'polls-for-strangers') setInterval(() => void fetch('/api/prints'), 400);
if (mistake === 'style-by-script') document.body.setAttribute('style', 'margin: 2rem');
if (mistake === 'script-cookie') document.cookie = 'theme=dark; Path=/';
if (mistake === 'trap') {
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Tab') event.preventDefault();
  });
}
if (mistake === 'throws')
  setTimeout(() => {
    throw new Error('thrown on the page');
  });
