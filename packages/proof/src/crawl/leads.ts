/** The links and forms in a response. */
import type { ReceivedResponse } from '@gatehouse/simulator/http';
import type { Inventory, Route } from '../inventory/route.ts';
import type { Person } from '../people/people.ts';
import type { SiteRequest } from '../people/site-request.ts';
import { markPlaceholder } from '../people/words.ts';
import { destinationOf, fillForm, formKey } from './fill-form.ts';
import { actionRouteOf, isOurs } from './match.ts';
import { readPage, type Button, type PageForm } from './page-contents.ts';

export interface FoundForm {
  key: string;
  route: Route | null;
  request: SiteRequest;
  /** The names of the fields that a visitor fills in. */
  names: readonly string[];
  /** Whether the form has fields to type in, which suggests that it creates something. */
  makes: boolean;
  /** The crawl enters a wrong one, so the site must refuse the form. */
  wantsPassword: boolean;
}

/** Links and forms that responses contain. */
export interface Leads {
  addresses: Set<string>;
  /** By form key. */
  forms: Map<string, FoundForm>;
}

/** Adds the links and forms in a response. */
export function readLeads(
  response: ReceivedResponse,
  {
    from,
    only,
    person,
    inventory,
  }: { from: string; only: SiteRequest['only']; person: Person; inventory: Inventory },
  leads: Leads,
): void {
  const addAll = (text: string) => {
    for (const path of addressesIn(text, from)) {
      leads.addresses.add(path);
      // The path of a file often contains the path of the resource it belongs to.
      const { pathname } = new URL(path, 'http://site.invalid');
      for (let end = pathname.lastIndexOf('/'); end > 0; end = pathname.lastIndexOf('/', end - 1))
        leads.addresses.add(pathname.slice(0, end));
    }
  };
  const addForm = (form: PageForm, button: Button) => {
    const path = destinationOf(form, button, from);
    if (path === null || path.startsWith('/__auth')) return;
    // A form with method `dialog` is not sent.
    if ((button.formMethod ?? form.method).toLowerCase() === 'dialog') return;
    const route = actionRouteOf(inventory, path);
    const filled = fillForm(form, button, path, wordsFor(route, person));
    if ((filled.method ?? 'GET') === 'GET') {
      leads.addresses.add(filled.path);
      return;
    }
    const key = formKey(form, button, route?.id ?? path);
    const request = { ...filled, form: key, ...(only && { only }) };
    const makes = form.controls.some(({ type }) => typed.has(type));
    const wantsPassword = form.controls.some(({ type }) => type === 'password');
    const shown = form.controls.filter(({ type }) => type !== 'hidden');
    const names = [...new Set(shown.map(({ name }) => name))];
    const found = { key, route, request, names, makes, wantsPassword };
    if (!leads.forms.has(key)) leads.forms.set(key, found);
  };

  const { location } = response.headers;
  if (location) addAll(`"${location}"`);
  if (!isText(response)) return;
  if (/html/.test(response.headers['content-type'] ?? '')) {
    const page = readPage(response.text);
    for (const link of page.links) {
      const base = `http://site.invalid${from}`;
      if (URL.canParse(link, base)) addAll(`"${new URL(link, base).href}"`);
    }
    // A form about what is gone would take the place of the same form about something that is there.
    const forms = response.status === 404 || response.status === 410 ? [] : page.forms;
    for (const form of forms) for (const button of form.buttons) addForm(form, button);
  }
  addAll(response.text);
}

/** What a person types into a form of a route. */
export function wordsFor(route: Route | null, person: Person): string {
  const { mark } = (route?.access === 'account' && person.account) || person;
  // What the platform is sent stays the same: it compares requests by their idempotency key.
  return route?.access === 'platform' ? mark : markPlaceholder(mark);
}

const typed = new Set([
  'text',
  'textarea',
  'search',
  'email',
  'url',
  'tel',
  'file',
  'number',
  'date',
]);

function isText({ headers }: ReceivedResponse): boolean {
  return /^(text|application\/(json|javascript|xml))|x-script|turbo/.test(
    headers['content-type'] ?? '',
  );
}

/** Strings that look like addresses of this site: in attributes, in JSON, in Remix's page data. */
function* addressesIn(text: string, from: string): Iterable<string> {
  for (const [, quoted = ''] of text.matchAll(
    /["'(]((?:https?:\/)?\/[^"'()\\\s<>]*|\?[^"'()\\\s<>]*)/g,
  )) {
    const base = `http://site.invalid${from}`;
    const address = quoted.replaceAll('&amp;', '&');
    if (!URL.canParse(address, base) || address.startsWith('//')) continue;
    const { hostname, pathname, search } = new URL(address, base);
    if (isOurs(hostname) && !/^\/(__auth|assets)(\/|$)|\.data$/.test(pathname))
      yield pathname + search;
  }
}
