/**
 * Builds one person's requests with another person's ids. A value counts as an id if two people's submissions of the
 * same form differ in it and neither person typed it.
 */
import type { Person } from '../../people/people.ts';
import type { SiteRequest } from '../../people/site-request.ts';
import { marksIn, relabelled } from '../../people/words.ts';
import type { RouteUnderProof } from '../../stage/stage.ts';

/** The other person's value for each value of the owner. */
type Values = ReadonlyMap<string, string>;

export function ownValues(
  routes: readonly RouteUnderProof[],
  owner: Person,
  other: Person,
): Values {
  const values = new Map<string, string>();
  for (const route of routes) {
    for (const [ofOwner, ofOther] of pairsOf(route, owner, other)) {
      if (!ofOther) continue;
      for (const name of differing(ofOwner, ofOther, owner)) {
        if (name === null) continue;
        values.set(fieldsOf(ofOwner)?.[name] ?? '', fieldsOf(ofOther)?.[name] ?? '');
      }
    }
  }
  return values;
}

/** The other person's submissions, with one id of the owner at a time, and then with all of them. */
export function foreignRequests(
  route: RouteUnderProof,
  owner: Person,
  other: Person,
  values: Values,
): SiteRequest[] {
  return pairsOf(route, owner, other).flatMap(([ofOwner, ofOther]) => {
    if (ofOwner.endsSession) return [];
    // The other person has no such form: send the owner's, with the other's ids where they are known.
    if (!ofOther) return [typedBy(withFields(ofOwner, values), owner, other)];
    const slots = differing(ofOwner, ofOther, owner);
    const each = slots.map((slot) => withSlots(ofOther, ofOwner, [slot]));
    return slots.length > 1 ? [...each, withSlots(ofOther, ofOwner, slots)] : each;
  });
}

/** The owner's submissions, each with the other person's submission of the same form. */
function pairsOf(
  route: RouteUnderProof,
  owner: Person,
  other: Person,
): [ofOwner: SiteRequest, ofOther: SiteRequest | undefined][] {
  const [all, others] = [owner, other].map((person) => route.submissions.get(person) ?? []);
  return (all ?? []).map((ofOwner, index) => {
    // Requests without a form come last, in the order of `e2e/site.ts`.
    const ofOther =
      ofOwner.form === undefined
        ? others?.at(index - (all?.length ?? 0))
        : others?.find(({ form }) => form === ofOwner.form);
    return [ofOwner, ofOther?.form === ofOwner.form ? ofOther : undefined];
  });
}

/** Where two requests differ in values that nobody typed: field names, and null for the address. */
function differing(
  ofOwner: SiteRequest,
  ofOther: SiteRequest,
  { account }: Person,
): (string | null)[] {
  const fields = fieldsOf(ofOwner) ?? {};
  const others = fieldsOf(ofOther) ?? {};
  const names = Object.keys(fields).filter((name) => {
    const value = fields[name] ?? '';
    return value !== others[name] && !marksIn(value).has(account?.mark ?? '');
  });
  return [...(ofOwner.path === ofOther.path ? [] : [null]), ...names];
}

function withSlots(
  ofOther: SiteRequest,
  ofOwner: SiteRequest,
  slots: readonly (string | null)[],
): SiteRequest {
  const fields = fieldsOf(ofOwner) ?? {};
  const names = slots.filter((slot) => slot !== null);
  const changed = Object.fromEntries(names.map((name) => [name, fields[name] ?? '']));
  const request =
    names.length > 0 ? withBody(ofOther, { ...fieldsOf(ofOther), ...changed }) : ofOther;
  return slots.includes(null) ? { ...request, path: ofOwner.path } : request;
}

function withFields(request: SiteRequest, values: Values): SiteRequest {
  const fields = fieldsOf(request);
  if (!fields) return request;
  const given = Object.entries(fields).map(([name, value]) => [name, values.get(value) ?? value]);
  return withBody(request, Object.fromEntries(given) as Record<string, string>);
}

/** Replaces the owner's marker by the other's: a site may echo what the sender typed. */
function typedBy(request: SiteRequest, owner: Person, other: Person): SiteRequest {
  const [from = '', to = ''] = [owner, other].map(({ account }) => account?.mark);
  const { body } = request;
  if (body === undefined || from === '') return request;
  return {
    ...request,
    body:
      typeof body === 'string'
        ? relabelled(body, from, to)
        : Buffer.from(relabelled(body.toString('latin1'), from, to), 'latin1'),
  };
}

/** The fields of a form or JSON body; null for any other body. The last field of a name wins. */
function fieldsOf({ body, headers }: SiteRequest): Record<string, string> | null {
  const type = String(headers?.['content-type'] ?? '');
  if (typeof body !== 'string') return null;
  if (type.includes('x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(body));
  if (!type.includes('json')) return null;
  const given: unknown = JSON.parse(body);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, JSON.stringify(value)]),
  );
}

function withBody(request: SiteRequest, fields: Record<string, string>): SiteRequest {
  if (!String(request.headers?.['content-type']).includes('json'))
    return { ...request, body: new URLSearchParams(fields).toString() };
  const members = Object.entries(fields).map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  return { ...request, body: `{${members.join(',')}}` };
}
