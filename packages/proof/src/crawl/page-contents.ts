/** Links and forms of an HTML page, parsed without scripting, so that `<noscript>` content counts. */
import { parse, type DefaultTreeAdapterTypes } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

export interface PageContents {
  /** URLs of links, media and frames, as written. */
  links: string[];
  forms: PageForm[];
}

export interface PageForm {
  /** As written; null means the page's own address. */
  action: string | null;
  method: string;
  enctype: string;
  controls: Control[];
  /** Its submit buttons. The form is submitted once with each. */
  buttons: Button[];
}

export interface Control {
  kind: 'input' | 'textarea' | 'select';
  name: string;
  type: string;
  value: string;
  checked: boolean;
  attributes: Readonly<Record<string, string>>;
  /** Of a `<select>`. */
  options: Option[];
}

export interface Option {
  value: string;
  isSelected: boolean;
  isDisabled: boolean;
}

export interface Button {
  name: string | null;
  value: string;
  formAction: string | null;
  formMethod: string | null;
}

export function readPage(html: string): PageContents {
  const contents: PageContents = { links: [], forms: [] };
  const byId = new Map<string, PageForm>();
  const apart: Apart[] = [];
  read(parse(html, { scriptingEnabled: false }), null, { contents, byId, apart });
  for (const { node, has } of apart) {
    const form = byId.get(has['form'] ?? '');
    if (form) readControl(node, has, form);
  }
  for (const form of contents.forms) {
    if (form.buttons.length === 0)
      form.buttons.push({ name: null, value: '', formAction: null, formMethod: null });
  }
  return contents;
}

const linking: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  area: ['href'],
  img: ['src'],
  source: ['src'],
  video: ['src', 'poster'],
  audio: ['src'],
  iframe: ['src'],
  embed: ['src'],
  object: ['data'],
};

interface Reading {
  contents: PageContents;
  byId: Map<string, PageForm>;
  apart: Apart[];
}

/** A control that names its form by `form`. */
interface Apart {
  node: Element;
  has: Record<string, string>;
}

function read(node: Node, form: PageForm | null, reading: Reading): void {
  const { contents, byId, apart } = reading;
  let inner = form;
  if ('tagName' in node) {
    const has = attributesOf(node);
    for (const name of linking[node.tagName] ?? []) {
      const value = has[name];
      if (value) contents.links.push(value);
    }
    if (node.tagName === 'form') {
      inner = {
        action: has['action'] ?? null,
        method: (has['method'] ?? 'get').toLowerCase(),
        enctype: (has['enctype'] ?? 'application/x-www-form-urlencoded').toLowerCase(),
        controls: [],
        buttons: [],
      };
      contents.forms.push(inner);
      if (has['id']) byId.set(has['id'], inner);
    } else if (has['form']) apart.push({ node, has });
    else if (inner) readControl(node, has, inner);
  }
  const children =
    'content' in node ? node.content.childNodes : 'childNodes' in node ? node.childNodes : [];
  for (const child of children) read(child, inner, reading);
}

/** Includes disabled controls: in the server's HTML, all controls of a page may be disabled. */
function readControl(node: Element, has: Record<string, string>, form: PageForm): void {
  const { tagName } = node;
  const type = (has['type'] ?? '').toLowerCase();
  const isButton =
    (tagName === 'button' && (type === '' || type === 'submit')) ||
    (tagName === 'input' && (type === 'submit' || type === 'image'));
  if (isButton) {
    form.buttons.push({
      name: has['name'] ?? null,
      value: has['value'] ?? '',
      formAction: has['formaction'] ?? null,
      formMethod: has['formmethod']?.toLowerCase() ?? null,
    });
    return;
  }
  if (!has['name'] || !['input', 'textarea', 'select'].includes(tagName)) return;
  if (tagName === 'input' && ['button', 'reset'].includes(type)) return;
  form.controls.push({
    kind: tagName as Control['kind'],
    name: has['name'],
    type: tagName === 'textarea' ? 'textarea' : type || 'text',
    value: has['value'] ?? (tagName === 'textarea' ? textOf(node) : ''),
    checked: 'checked' in has,
    attributes: has,
    options: tagName === 'select' ? optionsOf(node) : [],
  });
}

function attributesOf({ attrs }: Element): Record<string, string> {
  return Object.fromEntries(attrs.map(({ name, value }) => [name, value]));
}

function textOf(node: Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

function optionsOf(select: Element): Option[] {
  const found: Option[] = [];
  const walk = (node: Node) => {
    if ('tagName' in node && node.tagName === 'option') {
      const has = attributesOf(node);
      found.push({
        value: has['value'] ?? textOf(node).trim(),
        isSelected: 'selected' in has,
        isDisabled: 'disabled' in has,
      });
    } else if ('childNodes' in node) node.childNodes.forEach(walk);
  };
  walk(select);
  return found;
}

/** The visible text of a page. */
export function readPageText(html: string): string {
  const words: string[] = [];
  const walk = (node: Node) => {
    if ('tagName' in node && ['head', 'script', 'style', 'template'].includes(node.tagName)) return;
    if (node.nodeName === '#text' && 'value' in node) words.push(node.value);
    if ('childNodes' in node) node.childNodes.forEach(walk);
  };
  walk(parse(html, { scriptingEnabled: false }));
  return words.join(' ').trim();
}
