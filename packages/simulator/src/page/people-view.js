/* global CSS, document */
/** Shows who is signed in in the framed site, and signs in as somebody else. */
import { byId, element } from './control.js';

/**
 * @typedef {object} Person
 * @property {string} id
 * @property {string} name
 * @property {string} initial
 * @property {string} colour
 * @property {number} credits
 * @property {string} purpose
 */

/** What is shown, serialized to detect changes. */
let shown = '';

/**
 * Shows the personas to choose from. Unchanged buttons are not recreated: one that is replaced between the
 * press and the release of a click would miss the click.
 *
 * @param {Person[]} people
 * @param {string | null} current
 * @param {(id: string) => void} choose
 */
export function showPeople(people, current, choose) {
  const next = JSON.stringify([people, current]);
  if (next === shown) return;
  shown = next;
  const list = byId('people');
  const focused = document.activeElement?.getAttribute('data-person');
  list.replaceChildren(
    ...people.map((person) => {
      const button = element(
        'button',
        {
          type: 'button',
          class: 'person bare',
          'data-person': person.id,
          'aria-pressed': String(person.id === current),
        },
        initialOf(person),
        element(
          'span',
          { class: 'grow' },
          element('span', { class: 'line' }, person.name),
          element('span', { class: 'soft fine line' }, person.purpose),
        ),
        element('span', { class: 'soft mono', title: 'Credits' }, `${person.credits} cr`),
      );
      button.addEventListener('click', () => {
        choose(person.id);
      });
      return element('li', {}, button);
    }),
  );
  if (focused) {
    /** @type {HTMLElement | null} */
    const again = list.querySelector(`[data-person="${CSS.escape(focused)}"]`);
    again?.focus();
  }
  showWho(people.find(({ id }) => id === current) ?? null);
}

/** Shows that the signed-in persona is unknown, because the simulator does not respond. */
export function showUnreachable() {
  shown = '';
  const chip = byId('who');
  chip.textContent = 'Not reachable';
  chip.dataset.tone = 'warn';
}

/** @param {Person | null} person */
function showWho(person) {
  const chip = byId('who');
  chip.textContent = person ? person.name : 'Signed out';
  chip.toggleAttribute('data-tone', person !== null);
  if (person) chip.dataset.tone = 'good';
}

/**
 * SVG, because the page's policy forbids inline styles and the colour differs per person.
 *
 * @param {Person} person
 */
function initialOf({ colour, initial }) {
  const svg = svgElement('svg', {
    viewBox: '0 0 30 30',
    width: '30',
    height: '30',
    'aria-hidden': 'true',
  });
  const text = svgElement('text', {
    x: '15',
    y: '15',
    dy: '.36em',
    'text-anchor': 'middle',
    'font-size': '13',
    'font-weight': '600',
    fill: '#fff',
  });
  text.textContent = initial;
  svg.append(svgElement('rect', { width: '30', height: '30', fill: colour }), text);
  return svg;
}

/** @param {string} tag @param {Record<string, string>} attributes */
function svgElement(tag, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}
