/** Fills a form with values that its fields accept, and that contain the person's marker. */
import type { SiteRequest } from '../people/site-request.ts';
import { valueFor } from './field-values.ts';
import { isOurs } from './match.ts';
import type { Button, Control, PageForm } from './page-contents.ts';

/** A PNG image of one pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

type Field = [name: string, value: string | { file: string; type: string; bytes: Buffer }];

/**
 * @param page the address of the page with the form
 * @returns the address that the form is sent to; null if it is another site's
 */
export function destinationOf(form: PageForm, button: Button, page: string): string | null {
  const action = (button.formAction ?? form.action) || page;
  const base = `http://site.invalid${page}`;
  if (!URL.canParse(action, base)) return null;
  const { hostname, pathname, search } = new URL(action, base);
  return isOurs(hostname) ? pathname + search : null;
}

/**
 * @param path the address that the form is sent to
 * @param mark the person's marker
 */
export function fillForm(form: PageForm, button: Button, path: string, mark: string): SiteRequest {
  const method = (button.formMethod ?? form.method).toUpperCase();
  const radios = new Set(radiosOf(form.controls));
  const fields = form.controls
    .filter((control) => control.type !== 'radio' || radios.has(control))
    .flatMap((control) => fieldsOf(control, mark));
  if (button.name) fields.push([button.name, button.value]);

  if (method === 'GET') {
    const query = new URLSearchParams(fields.map(([name, value]) => [name, textOf(value)]));
    return { path: `${path.replace(/\?.*/s, '')}?${query.toString()}` };
  }
  if (form.enctype === 'multipart/form-data') return { path, method, ...multipart(fields) };
  const text = fields.map(([name, value]): [string, string] => [name, textOf(value)]);
  return {
    path,
    method,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(text).toString(),
  };
}

/** Identifies a form across pages and people: by its fields and its intent, without other values. */
export function formKey(form: PageForm, button: Button, route: string): string {
  const names = form.controls.map(({ name, type }) => `${name}:${type}`);
  const intents = form.controls
    .filter(({ name, type }) => type === 'hidden' && /^_?(intent|action|op|method)$/i.test(name))
    .map(({ value }) => value);
  return [route, form.method, ...names, ...intents, button.name, button.name && button.value].join(
    '|',
  );
}

/** A browser sends the radio button that is checked. A person would check one. */
function radiosOf(controls: readonly Control[]): Control[] {
  const radios = controls.filter(({ type }) => type === 'radio');
  return [...new Set(radios.map(({ name }) => name))].flatMap((name) => {
    const group = radios.filter((radio) => radio.name === name);
    return group.find(({ checked }) => checked) ?? group.find(isEnabled) ?? group.slice(0, 1);
  });
}

function isEnabled({ attributes }: Control): boolean {
  return !('disabled' in attributes);
}

function fieldsOf(control: Control, mark: string): Field[] {
  const { name, type, value, attributes } = control;
  if (control.kind === 'select') return choicesOf(control).map((option) => [name, option]);
  switch (type) {
    case 'checkbox':
      return control.checked || 'required' in attributes ? [[name, value || 'on']] : [];
    case 'radio':
    case 'hidden':
      return [[name, value]];
    case 'file':
      return [[name, fileFor(attributes['accept'] ?? '', mark)]];
    default:
      return [[name, 'readonly' in attributes ? value : valueFor(control, mark)]];
  }
}

/** The options that a page preselects, or else the first one that is not a placeholder. */
function choicesOf({ options, attributes }: Control): string[] {
  const usable = options.filter(({ isDisabled, value }) => !isDisabled && value !== '');
  const selected = usable.filter(({ isSelected }) => isSelected).map(({ value }) => value);
  if (selected.length > 0) return 'multiple' in attributes ? selected : selected.slice(-1);
  const [first] = usable.length > 0 ? usable : options;
  return first ? [first.value] : [];
}

interface Sample {
  type: string;
  bytes: (mark: string) => Buffer;
}

const plainText: Sample = {
  type: 'text/plain',
  bytes: (mark) => Buffer.from(`Words of ${mark}.\n`),
};

const samples: Readonly<Record<string, Sample>> = {
  png: { type: 'image/png', bytes: () => png },
  jpg: {
    type: 'image/jpeg',
    bytes: () =>
      Buffer.from(
        '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
        'base64',
      ),
  },
  webp: {
    type: 'image/webp',
    bytes: () => Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64'),
  },
  txt: plainText,
  md: { type: 'text/markdown', bytes: (mark) => Buffer.from(`# Words of ${mark}\n`) },
  csv: { type: 'text/csv', bytes: (mark) => Buffer.from(`name\n${mark}\n`) },
  json: { type: 'application/json', bytes: (mark) => Buffer.from(JSON.stringify({ name: mark })) },
  pdf: {
    type: 'application/pdf',
    bytes: () =>
      Buffer.from(
        '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
      ),
  },
};

/** A file of the first kind that `accept` allows. */
function fileFor(accept: string, mark: string): Exclude<Field[1], string> {
  const allowed = accept.toLowerCase().split(/\s*,\s*/);
  const isAllowed = ([extension, { type }]: (typeof kinds)[number]) =>
    allowed.some(
      (pattern) =>
        ['', '*/*', `.${extension}`, type, type.replace(/\/.*/, '/*')].includes(pattern.trim()) ||
        (extension === 'jpg' && pattern === '.jpeg'),
    );
  const kinds = Object.entries(samples);
  const [extension, { type, bytes }] = kinds.find(isAllowed) ?? ['txt', plainText];
  return { file: `${mark}.${extension}`, type, bytes: bytes(mark) };
}

function textOf(value: Field[1]): string {
  return typeof value === 'string' ? value : value.file;
}

function multipart(fields: Field[]): Pick<SiteRequest, 'headers' | 'body'> {
  const boundary = '----proof-of-the-boundary';
  const parts = fields.flatMap(([name, value]) => {
    const isText = typeof value === 'string';
    const head = isText
      ? `content-disposition: form-data; name="${name}"\r\n\r\n`
      : `content-disposition: form-data; name="${name}"; filename="${value.file}"\r\ncontent-type: ${value.type}\r\n\r\n`;
    return [
      Buffer.from(`--${boundary}\r\n${head}`),
      isText ? Buffer.from(value) : value.bytes,
      Buffer.from('\r\n'),
    ];
  });
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  };
}
