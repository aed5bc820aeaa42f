/** What `prepare` in `e2e/site.ts` does as a person: sends the forms of the site's pages. */
import type { ReceivedResponse } from '@gatehouse/simulator/http';
import { destinationOf, fillForm } from './fill-form.ts';
import { wordsFor } from './leads.ts';
import { actionRouteOf } from './match.ts';
import { readPage, type Button, type PageForm } from './page-contents.ts';
import type { Inventory } from '../inventory/route.ts';
import type { Person } from '../people/people.ts';
import type { SiteRequest } from '../people/site-request.ts';

export interface PersonRequestParts {
  person: Person;
  inventory: Inventory;
  send: (request: SiteRequest) => Promise<ReceivedResponse>;
}

type Fields = Readonly<Record<string, string>>;

/** Sends the form at an address that has the given fields; see `PrepareParts` of the simulator. */
export async function sendFormAt(
  address: string,
  fields: Fields,
  { person, inventory, send }: PersonRequestParts,
): Promise<ReceivedResponse> {
  const page = await send({ path: address });
  const found = formsIn(page.text).find(({ form, button }) => hasFields(form, button, fields));
  const names = Object.keys(fields).join(', ') || 'any fields';
  if (!found)
    throw new Error(
      `${address} (${page.status}) has no form with ${names} for \`prepare\` in e2e/site.ts.`,
    );
  const { form, button } = found;
  const path = destinationOf(form, button, address);
  if (path === null) throw new Error(`The form at ${address} is sent to another site.`);
  const controls = form.controls.map((control) => {
    const value = fields[control.name];
    return value === undefined ? control : { ...control, ...given(control, value) };
  });
  const words = wordsFor(actionRouteOf(inventory, path), person);
  const request = fillForm({ ...form, controls }, button, path, words);
  const response = await send(request);
  if (response.status < 400) return response;
  throw new Error(
    `${request.method ?? 'GET'} ${path} with ${names} (${response.status}) was refused, so \`prepare\` in e2e/site.ts could not go on.`,
  );
}

function formsIn(html: string): { form: PageForm; button: Button }[] {
  return readPage(html).forms.flatMap((form) => form.buttons.map((button) => ({ form, button })));
}

/** Whether the form has all fields. One of a button, or one that is hidden, has its value as well. */
function hasFields({ controls }: PageForm, button: Button, fields: Fields): boolean {
  return Object.entries(fields).every(
    ([name, value]) =>
      (button.name === name && button.value === value) ||
      controls.some(
        (control) =>
          control.name === name && (control.type !== 'hidden' || control.value === value),
      ),
  );
}

/** A control in which a value stands that a visitor has typed or chosen. */
function given(
  { kind, type, options, attributes, value: own }: PageForm['controls'][number],
  value: string,
) {
  if (kind === 'select')
    return {
      options: options.map((option) => ({ ...option, isSelected: option.value === value })),
    };
  if (type === 'radio') return { checked: own === value };
  if (type === 'checkbox') return { checked: value !== '' };
  // What stands in a field that cannot be edited is sent as it is.
  return { value, attributes: { ...attributes, readonly: '' } };
}
