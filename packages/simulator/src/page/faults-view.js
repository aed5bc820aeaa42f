/* global CSS, HTMLElement */
/** The panel that sets faults. Its fields follow the simulator's fault table. */
import { byId, control, element, Refusal } from './control.js';

/** @typedef {{ kind: string } & Record<string, string | number | null>} Fault */
/** @typedef {{ endpoint: string, fault: Fault, persona: string | null, timesLeft: number | null }} ActiveFault */
/** @typedef {{ kind: string, label: string, effect: string, defaults: Fault }} FaultKind */

/** @type {FaultKind[]} */
let kinds = [];

/** Names of targets, where the API's name is not clear enough. */
const NAMES = /** @type {Record<string, string>} */ ({ '*': 'All', site: 'site (at the edge)' });

/** Labels of settings, by their names in the API. */
const LABELS = /** @type {Record<string, string>} */ ({
  status: 'Status',
  body: 'Body',
  contentType: 'Content type (empty: none)',
  ms: 'Milliseconds',
  chunkBytes: 'Bytes at a time',
  everyMs: 'Every (ms)',
  idleMs: 'Idle for (ms)',
  location: 'Location',
  bytes: 'Bytes',
});

/**
 * Fills the form and adds its listeners.
 *
 * @param {{ endpoints: string[], faultKinds: FaultKind[], personas: { id: string, name: string }[], faults:
 *   ActiveFault[] }} state
 */
export function beginFaults(state) {
  kinds = state.faultKinds;
  byId('fault-endpoint').replaceChildren(
    ...state.endpoints.map((name) => element('option', { value: name }, NAMES[name] ?? name)),
  );
  byId('fault-kind').replaceChildren(
    ...kinds.map(({ kind, label }) => element('option', { value: kind }, label)),
  );
  byId('fault-persona').replaceChildren(
    element('option', { value: '' }, 'Everybody'),
    ...state.personas.map(({ id, name }) => element('option', { value: id }, name)),
  );
  byId('fault-kind').addEventListener('change', showSettings);
  byId('fault-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(() => control('POST', 'faults', readForm()));
  });
  byId('clear-faults').addEventListener('click', () => {
    void attempt(() => control('DELETE', 'faults'));
  });
  showSettings();
  showActive(state.faults);
}

/** What is shown, serialized to detect changes. */
let shown = '';

/** @param {ActiveFault[]} active */
export function showActive(active) {
  const next = JSON.stringify(active);
  if (next === shown) return;
  shown = next;
  const chip = byId('fault-count');
  chip.textContent = active.length === 0 ? 'None' : `${active.length} active`;
  if (active.length === 0) delete chip.dataset.tone;
  else chip.dataset.tone = 'warn';
  byId('active-faults').replaceChildren(
    ...active.map(({ endpoint, fault, persona, timesLeft }) => {
      const scope = [persona, timesLeft === null ? null : `${timesLeft} left`].filter(Boolean);
      const detail = fault.status ?? (fault.ms === undefined ? '' : `${fault.ms} ms`);
      const what =
        `${endpoint === '*' ? 'all' : endpoint}: ${labelOf(fault.kind)} ${detail}`.trim();
      const clear = element(
        'button',
        { type: 'button', class: 'button small', 'aria-label': `Clear ${what}` },
        'Clear',
      );
      clear.addEventListener('click', () => {
        void attempt(() => control('DELETE', `faults?endpoint=${encodeURIComponent(endpoint)}`));
      });
      const text = scope.length > 0 ? `${what} (${scope.join(', ')})` : what;
      return element(
        'li',
        { class: 'across on-tone', 'data-tone': 'warn' },
        element('span', { class: 'grow' }, text),
        clear,
      );
    }),
  );
}

/** @param {() => Promise<ActiveFault[]>} change */
async function attempt(change) {
  const problem = byId('fault-problem');
  const form = byId('fault-form');
  problem.textContent = '';
  for (const input of form.querySelectorAll('[aria-invalid]')) {
    input.removeAttribute('aria-invalid');
    input.removeAttribute('aria-describedby');
  }
  try {
    showActive(await change());
  } catch (error) {
    problem.textContent = error instanceof Error ? error.message : String(error);
    if (!(error instanceof Refusal) || error.field === undefined) return;
    const wrong = form.querySelector(`[name="${CSS.escape(error.field)}"]`);
    wrong?.setAttribute('aria-invalid', 'true');
    wrong?.setAttribute('aria-describedby', problem.id);
    if (wrong instanceof HTMLElement) wrong.focus();
  }
}

function showSettings() {
  const chosen = chosenKind();
  byId('fault-effect').textContent = chosen.effect;
  byId('fault-settings').replaceChildren(
    ...Object.entries(chosen.defaults)
      .filter(([name]) => name !== 'kind')
      .map(([name, value]) => {
        const attributes = { name, autocomplete: 'off', spellcheck: 'false' };
        const input =
          name === 'body'
            ? element('textarea', attributes)
            : element('input', {
                ...attributes,
                type: typeof value === 'number' ? 'number' : 'text',
              });
        input.value = String(value ?? '');
        return element(
          'label',
          { class: 'field stack' },
          element('span', { class: 'soft fine' }, LABELS[name] ?? name),
          input,
        );
      }),
  );
}

function readForm() {
  const { kind, defaults } = chosenKind();
  /** @type {Fault} */
  const fault = { kind };
  for (const input of byId('fault-settings').querySelectorAll('input, textarea')) {
    const { name, value } = /** @type {HTMLInputElement} */ (input);
    if (name === 'contentType' && value === '') fault[name] = null;
    else fault[name] = typeof defaults[name] === 'number' ? Number(value) : value;
  }
  const times = valueOf('fault-times');
  const persona = valueOf('fault-persona');
  return {
    endpoint: valueOf('fault-endpoint'),
    fault,
    ...(times === '' ? {} : { times: Number(times) }),
    ...(persona === '' ? {} : { persona }),
  };
}

function chosenKind() {
  const chosen = kinds.find(({ kind }) => kind === valueOf('fault-kind'));
  if (!chosen) throw new Error('No fault is chosen.');
  return chosen;
}

/** @param {string} kind */
function labelOf(kind) {
  return kinds.find((option) => option.kind === kind)?.label.toLowerCase() ?? kind;
}

/** @param {string} id */
function valueOf(id) {
  return /** @type {HTMLInputElement | HTMLSelectElement} */ (byId(id)).value;
}
