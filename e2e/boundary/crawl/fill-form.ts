/** Fills a form with valid values that contain the person's marker. */
import { wrongPassword } from '../people/people';
import type { SiteRequest } from '../people/site-request';
import { isOurs } from './match';
import type { Button, Control, PageForm } from './page-contents';

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
  const fields = form.controls.flatMap((control) => fieldsOf(control, mark));
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

function fieldsOf(control: Control, mark: string): Field[] {
  const { name, type, value, attributes } = control;
  if (control.kind === 'select') {
    const option = value || control.options.find((one) => one !== '') || '';
    return [[name, option]];
  }
  switch (type) {
    case 'checkbox':
    case 'radio':
      return control.checked || 'required' in attributes ? [[name, value || 'on']] : [];
    case 'hidden':
      return [[name, value]];
    case 'file':
      return [[name, fileFor(attributes['accept'] ?? '', mark)]];
    case 'number':
    case 'range':
      return [[name, value || attributes['min'] || '1']];
    case 'email':
      return [[name, `${mark}@example.com`]];
    case 'url':
      return [[name, `https://example.com/${mark}`]];
    case 'password':
      return [[name, wrongPassword]];
    case 'tel':
      return [[name, '+4930123456']];
    case 'color':
      return [[name, value || '#336699']];
    case 'date':
      return [[name, value || attributes['min'] || '2030-01-15']];
    case 'datetime-local':
      return [[name, value || attributes['min'] || '2030-01-15T10:00']];
    case 'month':
      return [[name, value || '2030-01']];
    case 'week':
      return [[name, value || '2030-W03']];
    case 'time':
      return [[name, value || '10:00']];
    default:
      return [[name, wordsFor(attributes, mark)]];
  }
}

function wordsFor(attributes: Readonly<Record<string, string>>, mark: string): string {
  const shortest = Number(attributes['minlength'] ?? 0);
  const longest = Number(attributes['maxlength'] ?? Infinity);
  // The marker comes first, because a short field truncates the rest.
  return `${mark}, a lighthouse at dusk`.padEnd(shortest, '.').slice(0, longest);
}

function fileFor(accept: string, mark: string): Exclude<Field[1], string> {
  return accept === '' || /image|png|\*\/\*/.test(accept)
    ? { file: `${mark}.png`, type: 'image/png', bytes: png }
    : { file: `${mark}.txt`, type: 'text/plain', bytes: Buffer.from(`Words of ${mark}.\n`) };
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
