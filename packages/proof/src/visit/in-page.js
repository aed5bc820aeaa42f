/* global CSS, document, Document, Element, HTMLElement, HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement, KeyboardEvent, location, MutationObserver, PointerEvent, MouseEvent, window, getComputedStyle */
/**
 * The probe: functions that the proof calls inside a page. A separate file that is injected as it is, because a function
 * serialized from compiled TypeScript may refer to helpers of the compiler, which the page lacks.
 */
(() => {
  if ('proof' in window) return;

  const interactive = [
    ...['a[href]', 'area[href]', 'button', 'input:not([type=hidden])', 'select', 'textarea'],
    ...['summary', '[contenteditable=""]', '[contenteditable=true]'],
    ...['button', 'checkbox', 'combobox', 'link', 'menuitem', 'option', 'radio', 'searchbox']
      .concat(['slider', 'spinbutton', 'switch', 'tab', 'textbox', 'treeitem'])
      .map((role) => `[role=${role}]`),
  ].join(', ');

  /** Not those to a place on the page itself, of which a script may make a button. */
  const leading = 'a[href]:not([href^="#"]), area[href]:not([href^="#"])';

  const title = 'h1, h2, h3, h4, h5, h6, [role=heading]';

  /** Composite widgets: one Tab stop, and arrow keys inside (WAI-ARIA Authoring Practices). */
  const composite = ['grid', 'listbox', 'menu', 'menubar', 'radiogroup', 'tablist', 'toolbar']
    .concat(['tree', 'treegrid'])
    .map((role) => `[role=${role}]`)
    .join(', ');

  /** @type {HTMLElement[]} */
  let listed = [];
  /** @type {HTMLInputElement[]} */
  let empty = [];
  /** @type {Set<Element>} */
  const focused = new Set();
  /** @type {string[]} */
  const cookies = [];

  /** @type {string[]} */
  let downloads = [];

  /** By address. @type {Map<string, Blob>} */
  const blobs = new Map();
  /** @type {{ name: string, blob: Blob }[]} */
  let saved = [];

  // Chromium reports a download when its response arrives, and not at all if that never happens.
  window.addEventListener('click', noteDownload, { capture: true });
  const { click } = HTMLElement.prototype;
  HTMLElement.prototype.click = function () {
    // Events of an element outside the document do not reach the window.
    if (!this.isConnected) this.addEventListener('click', noteDownload, { once: true });
    click.call(this);
  };

  // Files that a script saves: the browser reports neither their bytes nor their type.
  const { createObjectURL } = URL;
  URL.createObjectURL = function (/** @type {any} */ object) {
    const url = createObjectURL.call(URL, object);
    if (object instanceof Blob) blobs.set(url, object);
    return url;
  };

  // Records cookies that scripts set: a dropped one leaves no trace, and none is in a response header.
  const cookie = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');
  if (cookie?.set) {
    const { set } = cookie;
    Object.defineProperty(Document.prototype, 'cookie', {
      ...cookie,
      set(/** @type {string} */ value) {
        cookies.push(String(value));
        set.call(this, value);
      },
    });
  }

  Object.assign(window, {
    proof: {
      comeBack,
      cookies,
      controls,
      dismiss,
      element: (/** @type {number} */ id) => listed[id] ?? null,
      emptyFields,
      fillFields,
      operate,
      settled,
      shownText,
      sideways,
      html,
      summary,
      takeDownloads,
      takeSaved,
      unreached,
      watchFocus,
    },
  });

  /** Notes clicks on `<a download>` links to the site, which start a native download. */
  function noteDownload(/** @type {Event} */ event) {
    const link = event.target instanceof Element ? event.target.closest('a[download]') : null;
    if (!link) return;
    const { href, download: name } = /** @type {HTMLAnchorElement} */ (link);
    const blob = blobs.get(href);
    if (blob) saved.push({ name, blob });
    if (!/^https?:/.test(href)) return;
    const address = siteAddress('GET', link.getAttribute('href') ?? '');
    if (!address) return;
    // Waits for the page's own listeners, which may prevent the download.
    setTimeout(() => {
      if (!event.defaultPrevented) downloads.push(address.path);
    });
  }

  /** The paths of the downloads started since the last call. */
  function takeDownloads() {
    const begun = downloads;
    downloads = [];
    return begun;
  }

  /** The files saved by scripts since the last call: their names, their types, and their first bytes in Base64. */
  async function takeSaved() {
    const files = saved;
    saved = [];
    blobs.clear();
    return Promise.all(
      files.map(async ({ name, blob }) => {
        const bytes = new Uint8Array(await blob.slice(0, 65_536).arrayBuffer());
        const start = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
        return { name, type: blob.type, start };
      }),
    );
  }

  /** Every control, in document order. */
  function controls() {
    listed = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(interactive))];
    const explanations = new Map();
    return listed.map((element, id) => ({
      id,
      name: nameOf(element),
      kind: kindOf(element),
      isEnabled: isEnabled(element),
      isOperable: isOperable(element),
      isVisible: isVisible(element),
      isInMain: element.closest('main, [role=main]') !== null,
      isInNoscript: element.closest('noscript') !== null,
      target: targetOf(element),
      panel: panelOf(element, explanations),
    }));
  }

  /** @param {HTMLElement} element */
  function kindOf(element) {
    const type = (element.getAttribute('type') ?? '').toLowerCase();
    const role = element.getAttribute('role');
    if (element.matches('input[type=file]')) return 'file';
    if (element.matches(leading)) return 'link';
    if (element.matches('select')) return 'select';
    if (element.matches('input[type=checkbox], input[type=radio]')) return 'choice';
    if (element.matches('button, input[type=submit], input[type=image]')) {
      return type === '' || type === 'submit' || type === 'image' ? 'submit' : 'button';
    }
    if (element.matches('input[type=button], input[type=reset], summary')) return 'button';
    if (element.matches('input, textarea, [contenteditable], [role=textbox], [role=searchbox]')) {
      return 'text';
    }
    return role === 'option' || role === 'treeitem' ? 'item' : 'button';
  }

  /** @param {HTMLElement} element */
  function isEnabled(element) {
    return isOperable(element) && element.getAttribute('aria-disabled') !== 'true';
  }

  /** `aria-disabled` only announces: the browser still dispatches the clicks. @param {HTMLElement} element */
  function isOperable(element) {
    const readOnly = 'readOnly' in element && element.readOnly === true;
    return !element.matches(':disabled') && element.closest('[inert]') === null && !readOnly;
  }

  /** @param {Element} element */
  function isVisible(element) {
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    if (element.closest('[inert]')) return false;
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0;
  }

  /** The request that the markup declares for a control. Null for a form without an action, which scripts handle. */
  function targetOf(/** @type {HTMLElement} */ element) {
    if (element.matches('[href^="#"]')) return null;
    const link = element.closest(leading);
    if (link) return siteAddress('GET', link.getAttribute('href') ?? '');
    if (!('form' in element) || !element.form) return null;
    const form = /** @type {Element} */ (element.form);
    const button = kindOf(element) === 'submit' ? element : null;
    const action = button?.getAttribute('formaction') ?? form.getAttribute('action');
    const method = (
      button?.getAttribute('formmethod') ??
      form.getAttribute('method') ??
      'get'
    ).toUpperCase();
    if (method === 'DIALOG' || (action === null && method === 'GET')) return null;
    const target = siteAddress(method, action || location.href);
    if (!target || method !== 'GET') return target;
    // A GET form replaces the query by its fields.
    const fields = [...form.querySelectorAll('input[type=hidden][name]')].map(
      (field) =>
        /** @type {[string, string]} */ ([
          field.getAttribute('name') ?? '',
          /** @type {HTMLInputElement} */ (field).value,
        ]),
    );
    const query = new window.URLSearchParams(fields).toString();
    return { method, path: target.path.replace(/\?.*/s, '') + (query && `?${query}`) };
  }

  function siteAddress(/** @type {string} */ method, /** @type {string} */ address) {
    if (!window.URL.canParse(address, location.href)) return null;
    const url = new window.URL(address, location.href);
    return url.origin === location.origin ? { method, path: url.pathname + url.search } : null;
  }

  /**
   * The nearest container of a control with a heading, and the length of the other text in it.
   *
   * @param {HTMLElement} element
   * @param {Map<Element, number>} explanations the lengths so far, because `innerText` is slow
   */
  function panelOf(element, explanations) {
    /** @type {Element | null} */
    let around = element.parentElement;
    while (around && !around.querySelector(title)) {
      const isLandmark = around.matches('header, footer, nav') && !around.closest('main');
      if (isLandmark || around.matches('main, body')) return { hasTitle: false, explanation: 0 };
      around = around.parentElement;
    }
    if (!around) return { hasTitle: false, explanation: 0 };
    const known = explanations.get(around) ?? explanationOf(/** @type {HTMLElement} */ (around));
    explanations.set(around, known);
    return { hasTitle: true, explanation: known };
  }

  /** The length of the text outside headings and controls. */
  function explanationOf(/** @type {HTMLElement} */ around) {
    const beside = [...around.querySelectorAll(`${title}, ${interactive}`)].map(
      (element) => /** @type {HTMLElement} */ (element).innerText.length,
    );
    return around.innerText.length - beside.reduce((sum, length) => sum + length, 0);
  }

  function nameOf(/** @type {HTMLElement} */ element) {
    const ids = element.getAttribute('aria-labelledby')?.split(/\s+/) ?? [];
    const byIds = ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
    const labels = 'labels' in element ? /** @type {any} */ (element).labels : null;
    const byLabels = [...(labels ?? [])].map((label) => label.textContent).join(' ');
    const isField = element.matches('input:not([type=submit], [type=button]), select, textarea');
    const candidates = [
      byIds,
      element.getAttribute('aria-label'),
      byLabels,
      isField ? '' : element.textContent,
      element.matches('input[type=submit], input[type=button]')
        ? /** @type {HTMLInputElement} */ (element).value
        : '',
      element.querySelector('img[alt]')?.getAttribute('alt'),
      element.getAttribute('alt'),
      element.getAttribute('title'),
      element.getAttribute('placeholder'),
      element.getAttribute('name'),
    ];
    const name = candidates.find((text) => text?.trim()) ?? '';
    return name.trim().replace(/\s+/g, ' ').slice(0, 60) || element.tagName.toLowerCase();
  }

  /** Every empty field that a visitor could type into, with what it declares. */
  function emptyFields() {
    const fields = /** @type {NodeListOf<HTMLInputElement>} */ (
      document.querySelectorAll('input, textarea')
    );
    empty = [...fields].filter(
      (field) =>
        !field.matches('[type=checkbox], [type=radio], [type=file], [type=range], [type=color]') &&
        !field.matches('[type=submit], [type=button], [type=reset], [type=image]') &&
        isEnabled(field) &&
        isVisible(field) &&
        !field.value,
    );
    return empty.map(({ type, attributes }) => ({
      type,
      attributes: Object.fromEntries([...attributes].map(({ name, value }) => [name, value])),
    }));
  }

  /** Types into the fields that `emptyFields` has listed, and makes the choices that are required. @param {string[]} values */
  function fillFields(values) {
    empty.forEach((field, index) => {
      if (field.isConnected) setValue(field, values[index] ?? '');
    });
    for (const select of document.querySelectorAll('select[required]')) {
      const choice = /** @type {HTMLSelectElement} */ (select);
      const first = [...choice.options].find(({ value, disabled }) => value && !disabled);
      if (!choice.value && first && isEnabled(choice)) setValue(choice, first.value);
    }
    for (const radio of document.querySelectorAll('input[type=radio][required]')) {
      const choice = /** @type {HTMLInputElement} */ (radio);
      if (isEnabled(choice) && choice.validity.valueMissing) choice.click();
    }
  }

  /** Uses the native setter and dispatches events, so that React notices the change. */
  function setValue(/** @type {HTMLElement} */ field, /** @type {string} */ value) {
    const kind = [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement].find(
      (type) => field instanceof type,
    );
    const setter = kind && Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set;
    setter?.call(field, value);
    for (const type of ['input', 'change']) {
      field.dispatchEvent(new window.Event(type, { bubbles: true }));
    }
  }

  /** Operates a control as a pointer does. Returns false if it is gone. */
  function operate(/** @type {number} */ id) {
    const element = listed[id];
    if (!element?.isConnected) return false;
    if (element instanceof HTMLSelectElement) {
      const other = [...element.options].find(({ selected, disabled }) => !selected && !disabled);
      if (other) setValue(element, other.value);
      return true;
    }
    if (element.matches('input[type=range]')) {
      const { value, min, max } = /** @type {HTMLInputElement} */ (element);
      setValue(element, value === (max || '100') ? min || '0' : max || '100');
      return true;
    }
    element.focus();
    const options = { bubbles: true, cancelable: true, composed: true, button: 0, view: window };
    element.dispatchEvent(new PointerEvent('pointerdown', { ...options, pointerType: 'mouse' }));
    element.dispatchEvent(new MouseEvent('mousedown', options));
    element.dispatchEvent(new PointerEvent('pointerup', { ...options, pointerType: 'mouse' }));
    element.dispatchEvent(new MouseEvent('mouseup', options));
    element.click();
    if (element.matches('input, textarea') && kindOf(element) === 'text') pressEnter(element);
    return true;
  }

  /** A dispatched key has no effect by itself, so a form without a button is submitted as the browser would. */
  function pressEnter(/** @type {HTMLElement} */ field) {
    const enter = { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true };
    const isKept = field.dispatchEvent(new KeyboardEvent('keydown', enter));
    field.dispatchEvent(new KeyboardEvent('keyup', enter));
    if (!isKept || !(field instanceof HTMLInputElement)) return;
    const button = 'button:not([type]), [type=submit], [type=image]';
    if (field.form && !field.form.querySelector(button)) field.form.requestSubmit();
  }

  /** Closes an open dialog or menu. */
  function dismiss() {
    const open = document.querySelector(
      'dialog[open], [role=dialog], [role=alertdialog], [role=menu]',
    );
    (open ?? document.body).dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }),
    );
  }

  /** Dispatches the events of a visitor who returns from another tab. */
  function comeBack() {
    document.dispatchEvent(new window.Event('visibilitychange', { bubbles: true }));
    window.dispatchEvent(new window.Event('focus'));
  }

  /**
   * Resolves once the DOM has not changed for a while and React, if used, has hydrated the page.
   *
   * @param {number} quiet milliseconds without a change
   * @param {number} longest milliseconds after which it resolves in any case
   */
  function settled(quiet, longest) {
    return new Promise((resolve) => {
      const begun = Date.now();
      /** @type {number | undefined} */
      let timer;
      const observer = new MutationObserver(() => wait());
      const wait = () => {
        clearTimeout(timer);
        timer = window.setTimeout(look, quiet);
      };
      const look = () => {
        if (Date.now() - begun < longest && !isHydrated()) {
          wait();
          return;
        }
        end();
      };
      const end = () => {
        observer.disconnect();
        clearTimeout(timer);
        clearTimeout(last);
        resolve(undefined);
      };
      const last = setTimeout(end, longest);
      observer.observe(document, { subtree: true, childList: true, attributes: true });
      wait();
    });
  }

  /** React 18 stores its root as `__reactContainer…` on the container node; `isDehydrated` is true until hydration ends. */
  function isHydrated() {
    if (document.readyState !== 'complete') return false;
    for (const holder of [document, ...document.querySelectorAll('body, body > *')]) {
      const [, root] =
        Object.entries(holder).find(([key]) => key.startsWith('__reactContainer')) ?? [];
      if (root?.stateNode?.current?.memoizedState?.isDehydrated === true) return false;
    }
    return true;
  }

  /** The element that causes horizontal scrolling; null if the page does not scroll. */
  function sideways() {
    const root = document.scrollingElement ?? document.documentElement;
    if (root.scrollWidth <= root.clientWidth) return null;
    let widest = { right: 0, name: '' };
    for (const element of document.body.querySelectorAll('*')) {
      const { right, width } = element.getBoundingClientRect();
      // Of several that extend equally far, the innermost is the cause.
      if (width > 0 && right >= widest.right) widest = { right, name: describe(element) };
    }
    return { width: root.scrollWidth, element: widest.name };
  }

  function describe(/** @type {Element} */ element) {
    const id = element.id ? `#${CSS.escape(element.id)}` : '';
    return `<${element.tagName.toLowerCase()}${id}>`;
  }

  function watchFocus() {
    focused.clear();
    controls();
    document.addEventListener(
      'focusin',
      (event) => {
        const [target] = event.composedPath();
        focused.add(/** @type {Element} */ (target));
      },
      { capture: true },
    );
    return listed.filter(mustBeReached).length;
  }

  /** The names of the controls that have not received focus since `watchFocus`. */
  function unreached() {
    return listed.filter((element) => mustBeReached(element) && !isReached(element)).map(nameOf);
  }

  function mustBeReached(/** @type {HTMLElement} */ element) {
    if (!element.isConnected || !isEnabled(element)) return false;
    if (element.closest('[aria-hidden=true]') || element.matches('[role=option]')) return false;
    // A pointer operates a choice by its label, however the field itself is hidden.
    if (choiceLabelsOf(element).some(isVisible)) return true;
    if (!isVisible(element)) return false;
    // A visually hidden field is usually operated by a visible button.
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && getComputedStyle(element).opacity !== '0';
  }

  /** @returns {Element[]} */
  function choiceLabelsOf(/** @type {HTMLElement} */ element) {
    if (!element.matches('input[type=checkbox], input[type=radio]')) return [];
    return [.../** @type {any} */ (element).labels];
  }

  function isReached(/** @type {HTMLElement} */ element) {
    if (focused.has(element)) return true;
    const among = [...focused].filter((candidate) => candidate.isConnected);
    // A control may contain another one, such as a button in `<summary>`.
    if (
      among.some(
        (candidate) =>
          element.contains(candidate) ||
          candidate.closest('a[href], button') === element ||
          choiceLabelsOf(element).some((label) => label.contains(candidate)),
      )
    ) {
      return true;
    }
    if (element.matches('input[type=radio]')) {
      const { name, form } = /** @type {HTMLInputElement} */ (element);
      return among.some(
        (candidate) =>
          candidate instanceof HTMLInputElement &&
          candidate.name === name &&
          candidate.form === form,
      );
    }
    if (element.matches('a[href]')) {
      const href = element.getAttribute('href');
      if (among.some((candidate) => candidate.getAttribute('href') === href)) return true;
    }
    const widget = element.closest(composite);
    return widget !== null && among.some((candidate) => widget.contains(candidate));
  }

  /** The text that a visitor can read, including field values. */
  function shownText() {
    const fields = /** @type {NodeListOf<HTMLInputElement>} */ (
      document.querySelectorAll('input:not([type=hidden]), textarea')
    );
    const values = [...fields].filter(isVisible).map(({ value }) => value);
    // What a screen reader says, or a pointer shows.
    const described = ['alt', 'aria-label', 'placeholder', 'title'].flatMap((name) =>
      [...document.querySelectorAll(`body [${name}]`)]
        .filter(isVisible)
        .map((element) => element.getAttribute(name)),
    );
    return [document.title, document.body.innerText, ...values, ...described].join('\n');
  }

  function html() {
    return document.documentElement.outerHTML;
  }

  /** The text, headings and usable controls, to compare two states of a page. */
  function summary() {
    const main = document.querySelector('main, [role=main]') ?? document.body;
    const titles = [...main.querySelectorAll('h1, h2, h3')].filter(isVisible);
    const usable = controls().filter(({ isEnabled, isVisible }) => isEnabled && isVisible);
    return {
      text: /** @type {HTMLElement} */ (main).innerText.trim().slice(0, 2_000),
      marks: [
        ...titles.map((title) => `title ${title.textContent?.trim() ?? ''}`),
        ...usable.map(({ kind, name }) => `${kind} ${name}`),
      ],
      buttons: usable.filter(({ kind }) => ['button', 'submit', 'link'].includes(kind)),
    };
  }
})();
