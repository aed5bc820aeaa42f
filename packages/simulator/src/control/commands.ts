/** The commands of the control API: a table by method and path. */
import { z } from 'zod';

import { FAULT_TABLE, faultSchema, faultScopeSchema, SITE_FAULTS } from '../internal-api/faults.ts';
import { VIOLATIONS, type Ledger } from '../internal-api/ledger.ts';
import { displayName, initialOf, type PersonaBook } from '../people/personas.ts';
import type { AuthMode } from '../definition.ts';
import type { FrameState } from '../edge/sandbox-watch.ts';
import type { Platform } from '../platform.ts';

export interface CommandParts {
  platform: Platform<unknown>;
  /** The names of everything that a fault can target. */
  faultTargets: readonly string[];
  ledger: Ledger;
  personas: PersonaBook;
  auth: AuthMode;
  frame: FrameState;
}

export interface Command {
  /** Parses the JSON body; GET and DELETE get the query as strings. */
  input: z.ZodType;
  run: (input: never, parts: CommandParts) => unknown;
}

const nothing = z.looseObject({});

/** Every command by method and path. What `run` returns becomes the response; undefined becomes a 204. */
export function commandsFor(faultTargets: readonly string[]): Readonly<Record<string, Command>> {
  const endpoint = z.enum(faultTargets);
  return {
    'GET /__platform/state': command(nothing, (_, parts) => stateOf(parts)),
    'GET /__platform/ledger': command(nothing, (_, { ledger }) => ledger.entries()),
    'DELETE /__platform/ledger': command(nothing, (_, { ledger }) => {
      ledger.clear();
    }),
    'GET /__platform/mailbox': command(nothing, (_, { platform }) => platform.mailbox.messages()),
    'DELETE /__platform/mailbox': command(nothing, (_, { platform }) => {
      platform.mailbox.clear();
    }),
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
    'POST /__platform/sessions/switch': command(
      z.strictObject({ persona: z.string().min(1), return: z.string().optional() }),
      (input, { platform }) => ({
        url: platform.siteOrigin + platform.sessions.switchPath(input.persona, input.return),
      }),
    ),
    'POST /__platform/sessions/revoke': command(nothing, (_, { platform }) => ({
      revoked: platform.sessions.revokeAll(),
    })),
    'POST /__platform/sessions/advance': command(
      z.strictObject({ ms: z.number().nonnegative() }),
      ({ ms }, { platform }) => {
        platform.sessions.advance(ms);
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
  };
}

function stateOf({ platform, faultTargets, personas, auth }: CommandParts): unknown {
  return {
    auth,
    siteOrigin: platform.siteOrigin,
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
    })),
  };
}

function command<Input>(
  input: z.ZodType<Input>,
  run: (input: Input, parts: CommandParts) => unknown,
): Command {
  return { input, run };
}
