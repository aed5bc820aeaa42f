/** The mail that the site has sent, with links that open in the frame. */
import { byId, control, element } from './control.js';

/**
 * @typedef {object} Mail
 * @property {number} id
 * @property {string[]} to
 * @property {string} subject
 * @property {string} text
 * @property {string[]} links
 */

/** @type {(path: string) => void} */
let open = () => undefined;

/** What is shown, serialized to detect changes. */
let shown = '';

/**
 * @param {(path: string) => void} openInFrame called with a path of the site
 * @param {() => void} look reloads the list of mails
 */
export function beginMailbox(openInFrame, look) {
  open = openInFrame;
  byId('clear-mails').addEventListener('click', () => {
    void control('DELETE', 'mailbox').then(look);
  });
}

/** @param {Mail[]} mails newest first @param {string} siteOrigin */
export function showMails(mails, siteOrigin) {
  const next = JSON.stringify(mails);
  if (next === shown) return;
  shown = next;
  byId('mail-count').textContent = mails.length === 0 ? 'None' : String(mails.length);
  byId('mails').replaceChildren(...mails.map((mail) => itemOf(mail, siteOrigin)));
}

/** @param {Mail} mail @param {string} siteOrigin */
function itemOf({ to, subject, text, links }, siteOrigin) {
  const own = links.filter((link) => link.startsWith(`${siteOrigin}/`));
  const buttons = own.map((link) => {
    const path = link.slice(siteOrigin.length);
    const name = `Open ${path.replace(/\?.*/, '')}`;
    const button = element('button', { type: 'button', class: 'button small', title: link }, name);
    button.addEventListener('click', () => {
      open(path);
    });
    return button;
  });
  return element(
    'li',
    { class: 'mail stack' },
    element(
      'details',
      {},
      element(
        'summary',
        {},
        subject,
        element('span', { class: 'soft fine' }, `To ${to.join(', ')}`),
      ),
      element('pre', { class: 'mono' }, text),
    ),
    element('div', { class: 'row' }, ...buttons),
  );
}
