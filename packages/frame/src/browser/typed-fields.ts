/**
 * Keeps what was typed before hydration. Extensions and translators insert elements into the
 * document, which React 18 does not expect: it then renders the whole document anew, with empty
 * fields. Browser only.
 */

/**
 * Call this before hydration.
 *
 * @returns a function for after hydration: it hands values and focus on to the fields of a document that
 *   was rendered anew, and keeps nothing.
 */
export function keepTypedFields(): () => void {
  const before = controlsByKey();
  let focused: EventTarget | null = document.activeElement;
  const note = ({ target }: FocusEvent) => (focused = target);
  document.addEventListener('focusin', note);
  return () => {
    document.removeEventListener('focusin', note);
    const after = controlsByKey();
    for (const [key, controls] of before) {
      // The same element: nothing was rendered anew.
      if (controls[0]?.isConnected) break;
      const next = after.get(key);
      // A different number: some are not the site's own, and nothing tells which.
      if (next?.length !== controls.length) continue;
      for (const [index, to] of next.entries()) {
        const from = controls[index];
        if (from) handOn(from, to);
        if (from === focused) focus(from, to);
      }
    }
    // Once only: what is typed from here on must stay, and the fields are collected with their page.
    before.clear();
    focused = null;
  };
}

/** Everything that can have the focus, by what tells it from others in any rendering. */
function controlsByKey(): Map<string, HTMLElement[]> {
  const found = new Map<string, HTMLElement[]>();
  for (const control of document.querySelectorAll<HTMLElement>(
    'a,button,summary,select,textarea,input:not([type=hidden])',
  )) {
    const attributes = ['name', 'value', 'href'].map((name) => control.getAttribute(name));
    const key = [
      control.tagName,
      control.id || [control.closest('form')?.id, ...attributes],
    ].join();
    found.set(key, [...(found.get(key) ?? []), control]);
  }
  return found;
}

function handOn(from: HTMLElement, to: HTMLElement): void {
  if (from instanceof HTMLInputElement && /^(checkbox|radio)$/.test(from.type)) {
    const { checked, defaultChecked } = from;
    // React listens for the click alone.
    if (checked !== defaultChecked && checked !== (to as HTMLInputElement).checked) to.click();
  } else if (from instanceof HTMLSelectElement) {
    const options = [...(to as HTMLSelectElement).options];
    const isOther = ({ selected }: HTMLOptionElement, index: number) =>
      selected !== from.options[index]?.selected;
    if (!options.some(isOther)) return;
    for (const option of options.filter(isOther)) option.selected = !option.selected;
    to.dispatchEvent(new Event('change', { bubbles: true }));
  } else if (from instanceof HTMLInputElement || from instanceof HTMLTextAreaElement) {
    const { value, defaultValue } = from;
    if (from.type === 'file' || value === defaultValue) return;
    // React overrides the element's own setter, and would see no change.
    Reflect.set(Object.getPrototypeOf(to) as object, 'value', value, to);
    to.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

function focus(from: HTMLElement, to: HTMLElement): void {
  to.focus({ preventScroll: true });
  const { selectionStart, selectionEnd } = from as HTMLInputElement;
  // Fields of some types, such as `email`, have none.
  if (selectionStart !== null)
    (to as HTMLInputElement).setSelectionRange(selectionStart, selectionEnd);
}
