/* global document */
/** The page's calls to the control API, and its helpers for elements. */

/** A refusal by the control API, in one sentence. */
export class Refusal extends Error {
  /** @param {string} sentence @param {string} [field] the field that it is about */
  constructor(sentence, field) {
    super(sentence);
    this.field = field;
  }
}

/**
 * Calls the control API.
 *
 * @param {'GET' | 'POST' | 'DELETE'} method
 * @param {string} path below `/__platform/`
 * @param {unknown} [body]
 * @returns {Promise<any>}
 * @throws {Refusal} when the response is no success
 */
export async function control(method, path, body) {
  const response = await fetch(`/__platform/${path}`, {
    method,
    headers: { 'x-platform-control': '1' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const value = text === '' ? undefined : JSON.parse(text);
  if (!response.ok) {
    throw new Refusal(value?.error ?? `The platform answered ${response.status}.`, value?.field);
  }
  return value;
}

/**
 * Creates an element. Strings become text nodes, never HTML.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | undefined>} [attributes]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/**
 * An element of index.html.
 *
 * @template {Element} [Kind=HTMLElement]
 * @param {string} id
 * @returns {Kind}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}.`);
  return /** @type {Kind} */ (/** @type {unknown} */ (found));
}
