/* global document, Element, HTMLElement, location, window */
/**
 * Runs first in each page of the site while its frame is sandboxed: reports to the platform's page what the sandbox ignores
 * without an error that a script could see. `tokens` is declared before it.
 */
/** @type {string[]} */
const allowed = /** @type {any} */ (window).sandboxTokens;
delete (/** @type {any} */ (window).sandboxTokens);
// A framework would take it for markup of its own.
document.currentScript?.remove();

if (window.parent === window.top) {
  /** @param {string} what @param {string} token */
  const report = (what, token) => {
    if (allowed.includes(token)) return;
    const ignored = { what, token, path: location.pathname };
    window.parent.postMessage({ ignoredBySandbox: ignored }, '*');
  };
  const page = /** @type {any} */ (window);

  for (const name of ['alert', 'confirm', 'print', 'prompt']) {
    const original = page[name];
    page[name] = (/** @type {unknown[]} */ ...given) => {
      report(`${name}()`, 'allow-modals');
      return original.apply(window, given);
    };
  }

  const { open } = window;
  window.open = (address, target, features) => {
    reportTarget(`window.open("${String(address ?? '')}")`, target ?? '_blank');
    return open.call(window, address, target, features);
  };

  /** @param {string} what @param {string} target */
  const reportTarget = (what, target) => {
    if (target === '' || target === '_self') return;
    if (/^_(top|parent)$/.test(target)) report(`${what} in ${target}`, 'allow-top-navigation');
    else if (!window.frames[/** @type {any} */ (target)])
      report(`${what} in a new window`, 'allow-popups');
  };

  /** @param {HTMLAnchorElement} link */
  const reportLink = (link) => {
    const what = `a link to ${link.getAttribute('href') ?? ''}`;
    if (link.hasAttribute('download')) report(`a download, ${what}`, 'allow-downloads');
    else reportTarget(what, link.target || (document.querySelector('base')?.target ?? ''));
  };

  window.addEventListener('click', (event) => {
    const [element] = event.composedPath();
    const link = element instanceof Element ? element.closest('a[href], area[href]') : null;
    if (link && !event.defaultPrevented) reportLink(/** @type {HTMLAnchorElement} */ (link));
  });
  // Events of an element outside the document do not reach the window.
  const { click } = HTMLElement.prototype;
  HTMLElement.prototype.click = function () {
    if (!this.isConnected && this.matches('a[href]')) reportLink(/** @type {any} */ (this));
    click.call(this);
  };
  window.addEventListener('submit', ({ target, submitter, defaultPrevented }) => {
    const form = /** @type {HTMLFormElement} */ (target);
    const own = submitter?.getAttribute('formtarget') ?? form.target;
    if (!defaultPrevented) reportTarget(`a form to ${form.getAttribute('action') ?? ''}`, own);
  });
}
