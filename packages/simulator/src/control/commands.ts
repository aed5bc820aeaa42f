/** The commands of the control API: a table by method and path. */
import { z } from 'zod';

import { FAULT_TABLE, faultSchema, faultScopeSchema, SITE_FAULTS } from '../internal-api/faults.ts';
import { VIOLATIONS, type Ledger, type LedgerFilter } from '../internal-api/ledger.ts';
import { displayName, initialOf, type PersonaBook } from '../people/personas.ts';
import type { AuthMode } from '../definition.ts';
import type { FrameState } from '../edge/sandbox-watch.ts';
import type { Sessions } from '../people/sessions.ts';
import type { Platform } from '../platform.ts';

export interface CommandParts {
  platform: Platform<unknown>;
  /** The names of everything that a fault can target. */
  faultTargets: readonly string[];
  ledger: Ledger;
  personas: PersonaBook;
  sessions: Sessions;
  siteUpstream: () => string | null;
  auth: AuthMode;
  frame: FrameState;
}

export interface Command {
  /** Parses the JSON body; GET and DELETE get the query as strings. */
  input: z.ZodType;
  run: (input: never, parts: CommandParts) => unknown;
}

const persona = z.string().min(1);
const nothing = z.looseObject({});

/** Every command by method and path. What `run` returns becomes the response; undefined becomes a 204. */
export function commandsFor(faultTargets: readonly string[]): Readonly<Record<string, Command>> {
  const endpoint = z.enum(faultTargets);
  const filterOf = (query: Record<string, unknown>) => filterFrom(query, faultTargets);
  return {
    'GET /__platform/state': command(nothing, (_, parts) => stateOf(parts)),
    'POST /__platform/reset': command(nothing, (_, { platform }) => platform.reset()),
    'GET /__platform/ledger': command(nothing, (query, { ledger }) =>
      ledger.entries(filterOf(query)),
    ),
    'GET /__platform/ledger/violations': command(nothing, (query, { ledger }) =>
      ledger.violations(filterOf(query)),
    ),
    'DELETE /__platform/ledger': command(nothing, (_, { ledger }) => {
      ledger.clear();
    }),
    'GET /__platform/mailbox': command(
      z.looseObject({ to: z.string().optional() }),
      ({ to }, { platform }) => platform.mailbox.messages(to),
    ),
    'DELETE /__platform/mailbox': command(nothing, (_, { platform }) => {
      platform.mailbox.clear();
    }),
    'GET /__platform/faults': command(nothing, (_, { platform }) => platform.faults.active()),
    'POST /__platform/faults': command(
      z.strictObject({
        endpoint,
        fault: faultSchema,
        ...faultScopeSchema.shape,
      }),
      async ({ endpoint, fault, times, persona }, { platform, personas }) => {
        if (persona !== undefined) personas.known(persona);
        await platform.faults.set(endpoint, fault, {
          ...(times === undefined ? {} : { times }),
          ...(persona === undefined ? {} : { persona }),
        });
        return platform.faults.active();
      },
    ),
    'DELETE /__platform/faults': command(
      z.looseObject({ endpoint: endpoint.optional() }),
      async ({ endpoint }, { platform }) => {
        await platform.faults.clear(endpoint);
        return platform.faults.active();
      },
    ),
    'POST /__platform/sessions': command(
      z.strictObject({ persona }),
      ({ persona }, { platform }) => ({ cookie: platform.sessions.createCookie(persona) }),
    ),
    'POST /__platform/sessions/switch': command(
      z.strictObject({ persona, return: z.string().optional() }),
      (input, { platform }) => ({
        url: platform.siteOrigin + platform.sessions.switchPath(input.persona, input.return),
      }),
    ),
    'POST /__platform/sessions/revoke': command(
      z.strictObject({ persona: persona.optional() }),
      ({ persona }, { platform }) => ({ revoked: platform.sessions.revokeAll(persona) }),
    ),
    'POST /__platform/sessions/advance': command(
      z.strictObject({ ms: z.number().nonnegative() }),
      ({ ms }, { platform }) => {
        platform.sessions.advance(ms);
      },
    ),
    'POST /__platform/personas': command(
      z.strictObject({ count: z.number().int().min(1).max(10_000) }),
      ({ count }, { platform }) => platform.addPersonas(count).map(({ id }) => id),
    ),
    'POST /__platform/clock': command(
      z.strictObject({
        advance_ms: z.number().nonnegative().optional(),
        frozen: z.boolean().optional(),
      }),
      ({ advance_ms, frozen }, { platform: { clock } }) => {
        if (frozen === true) clock.freeze();
        if (frozen === false) clock.thaw();
        if (advance_ms !== undefined) clock.advance(advance_ms);
      },
    ),
    'POST /__platform/frame': command(
      z.strictObject({ sandbox: z.array(z.string()).nullable() }),
      ({ sandbox }, { frame }) => {
        frame.sandbox = sandbox;
      },
    ),
    'POST /__platform/frame/ignored': command(
      z.strictObject({ what: z.string(), token: z.string(), path: z.string() }),
      ({ what, token, path }, { ledger }) => {
        ledger.note('ignored_by_sandbox', `${what} on ${path}: the sandbox lacks ${token}`);
      },
    ),
    'POST /__platform/site-upstream': command(
      z.strictObject({ url: z.url({ protocol: /^https?$/ }) }),
      ({ url }, { platform }) => {
        platform.setSiteUpstream(url);
      },
    ),
  };
}

function stateOf({
  platform,
  faultTargets,
  personas,
  sessions,
  siteUpstream,
  auth,
}: CommandParts): unknown {
  return {
    auth,
    siteOrigin: platform.siteOrigin,
    internalUrl: platform.internalUrl,
    siteUpstream: siteUpstream(),
    // A site of mode `in-app` makes no call that could fail.
    endpoints: auth === 'in-app' ? ['site'] : faultTargets,
    faultKinds: FAULT_TABLE.filter(
      ({ kind }) => auth !== 'in-app' || SITE_FAULTS.includes(kind),
    ).map((row) => ({
      ...row,
      // The fault's defaults, which are also the list of its settings.
      defaults: faultSchema.parse({ kind: row.kind }),
    })),
    faults: platform.faults.active(),
    violationKinds: VIOLATIONS,
    personas: personas.list().map((persona) => ({
      id: persona.id,
      name: displayName(persona),
      initial: initialOf(persona),
      colour: persona.colour,
      credits: personas.creditsOf(persona),
      purpose: persona.purpose,
      sessions: sessions.count(persona.id),
    })),
  };
}

function filterFrom(query: Record<string, unknown>, faultTargets: readonly string[]): LedgerFilter {
  const { persona: who, ...rest } = z
    .object({
      kind: z.enum(['call', 'note']),
      endpoint: z.enum([...faultTargets, 'unknown']).exclude(['*', 'site']),
      persona: z.string(),
      path: z.string(),
      siteRequestId: z.string(),
    })
    .partial()
    .parse(query);
  const given = Object.entries({ ...rest, ...(who === undefined ? {} : { persona: who || null }) });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function command<Input>(
  input: z.ZodType<Input>,
  run: (input: Input, parts: CommandParts) => unknown,
): Command {
  return { input, run };
}
