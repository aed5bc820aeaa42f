/**
 * The platform's deliberate failures. One table describes them for the API, the page and the tests;
 * `fault-delivery.ts` carries them out.
 */
import { z } from 'zod';

/** The kinds that do not alter a response, so that the edge can apply them without asking the site. */
export const SITE_FAULTS: readonly FaultKind[] = ['status', 'reset', 'unreachable'];

const ms = wholeNumber(0, 120_000);
const contentType = headerText(200).nullable();

/** A fault and its settings, each with a default, so that `{"kind":"delay"}` is enough. */
export const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    status: wholeNumber(200, 999).default(500),
    body: text(1_000_000).default(
      '{"error":"internal","message":"The platform failed on purpose."}',
    ),
    /** Null omits the header. */
    contentType: contentType.default('application/json'),
  }),
  z.strictObject({ kind: z.literal('delay'), ms: ms.default(3_000) }),
  z.strictObject({
    kind: z.literal('drip'),
    chunkBytes: wholeNumber(1, 1_000_000).default(16),
    everyMs: ms.default(500),
  }),
  z.strictObject({ kind: z.literal('reset') }),
  z.strictObject({ kind: z.literal('idle_close'), idleMs: ms.default(100) }),
  z.strictObject({ kind: z.literal('truncated') }),
  z.strictObject({
    kind: z.literal('redirect'),
    status: z.literal([301, 302, 303, 307, 308]).default(302),
    location: headerText(2_000).default('http://internal.invalid/elsewhere?secret=canary'),
  }),
  z.strictObject({
    kind: z.literal('oversized'),
    bytes: wholeNumber(1, 64 * 1024 * 1024).default(5 * 1024 * 1024),
  }),
  z.strictObject({
    kind: z.literal('bad_json'),
    body: text(1_000_000).default('{"id":"usr_canary","name":'),
  }),
  z.strictObject({
    kind: z.literal('content_type'),
    contentType: contentType.default('text/html; charset=utf-8'),
  }),
  z.strictObject({ kind: z.literal('unreachable') }),
]);

export type Fault = z.infer<typeof faultSchema>;
/** A fault as input, where settings may be omitted. */
export type FaultInput = z.input<typeof faultSchema>;
export type FaultKind = Fault['kind'];

/** Every kind with its description, in the order that the page shows. */
export const FAULT_TABLE: readonly { kind: FaultKind; label: string; effect: string }[] = [
  { kind: 'status', label: 'Status', effect: 'Responds with a status, body and content type.' },
  { kind: 'delay', label: 'Delay', effect: 'Waits before the first byte, then responds normally.' },
  { kind: 'drip', label: 'Slow drip', effect: 'Sends the body a few bytes at a time.' },
  { kind: 'reset', label: 'Reset', effect: 'Resets the connection instead of responding.' },
  {
    kind: 'idle_close',
    label: 'Idle close',
    effect: 'Closes an idle connection just as the next call is sent on it.',
  },
  { kind: 'truncated', label: 'Truncated', effect: 'Announces a whole body and sends half of it.' },
  { kind: 'redirect', label: 'Redirect', effect: 'Redirects the caller to another address.' },
  { kind: 'oversized', label: 'Oversized', effect: 'Sends megabytes of valid JSON.' },
  {
    kind: 'bad_json',
    label: 'Bad JSON',
    effect: 'Responds with 200 and JSON that does not parse.',
  },
  {
    kind: 'content_type',
    label: 'Wrong type',
    effect: 'Sends the right body with a wrong content type.',
  },
  {
    kind: 'unreachable',
    label: 'Unreachable',
    effect: 'Refuses connections (all endpoints), or hangs up (one).',
  },
];

/** Which calls a fault applies to. */
export const faultScopeSchema = z.strictObject({
  /** Limits the fault to this many calls; absent means until cleared. */
  times: wholeNumber(1, 10_000).optional(),
  /** Limits the fault to this persona's calls, so that tests which run side by side do not collide. */
  persona: z.string().optional(),
});

type FaultScope = z.infer<typeof faultScopeSchema>;

/**
 * Everything that can fail: the whole internal API, `/user`, an operation, or the site (the edge then answers
 * for it).
 */
export type FaultTarget<Name extends string> = '*' | 'user' | 'site' | Name;

interface ActiveFault {
  endpoint: string;
  fault: Fault;
  persona: string | null;
  /** Calls left; null means no limit. */
  timesLeft: number | null;
}

export interface Faults<Name extends string = string> {
  /**
   * Makes an endpoint fail, replacing an earlier fault of the same endpoint and persona. Resolves when it is
   * in force.
   *
   * @throws {z.ZodError} when the fault or its scope is malformed.
   * @throws {Error} one sentence that lists the valid names when the endpoint is unknown, or the kinds that
   *   the edge can apply.
   */
  set(endpoint: FaultTarget<Name>, fault: FaultInput, scope?: FaultScope): Promise<void>;
  /**
   * Ends the faults of one endpoint, or all of them.
   *
   * @param persona ends only this persona's faults, so that tests which run side by side keep theirs.
   * @throws {Error} as `set` does, for an unknown endpoint.
   */
  clear(endpoint?: FaultTarget<Name>, persona?: string): Promise<void>;
  active(): ActiveFault[];
  /**
   * Returns the fault for the next call, and counts it. The most specific one wins, then the newest.
   *
   * @param idleMs how long the call's connection was idle before it; null where it is the first call on it.
   */
  take(endpoint: string, persona: string | null, idleMs?: number | null): Fault | null;
}

/**
 * Creates an empty set of faults.
 *
 * @param targets the names of everything that can fail. For `site` the edge answers instead, and the request
 *   never reaches the site; `*` is the whole internal API, without `site`.
 * @param setListening stops or restarts the internal server, for `unreachable` on every endpoint.
 */
export function createFaults(
  targets: readonly string[],
  setListening: (listening: boolean) => Promise<void>,
): Faults {
  let active: ActiveFault[] = [];

  const mustExist = (endpoint: string): void => {
    if (targets.includes(endpoint)) return;
    throw new Error(`Unknown endpoint ${endpoint}: faults apply to ${targets.join(', ')}.`);
  };
  const applyListening = (): Promise<void> =>
    setListening(
      !active.some(
        ({ endpoint, fault, persona, timesLeft }) =>
          endpoint === '*' &&
          fault.kind === 'unreachable' &&
          persona === null &&
          timesLeft === null,
      ),
    );

  return {
    async set(endpoint, fault, scope = {}) {
      mustExist(endpoint);
      const parsed = faultSchema.parse(fault);
      const { times = null, persona = null } = faultScopeSchema.parse(scope);
      if (endpoint === 'site' && !SITE_FAULTS.includes(parsed.kind)) {
        throw new Error(`The site’s faults can only be ${SITE_FAULTS.join(', ')}.`);
      }
      active = active.filter((fault) => fault.endpoint !== endpoint || fault.persona !== persona);
      active.unshift({ endpoint, fault: parsed, persona, timesLeft: times });
      await applyListening();
    },
    async clear(endpoint, persona) {
      if (endpoint !== undefined) mustExist(endpoint);
      const ends = (fault: ActiveFault): boolean =>
        (endpoint === undefined || fault.endpoint === endpoint) &&
        (persona === undefined || fault.persona === persona);
      active = active.filter((fault) => !ends(fault));
      await applyListening();
    },
    active: () => active.map((fault) => ({ ...fault })),
    take(endpoint, persona, idleMs = null) {
      const fitting = active.filter(
        (fault) =>
          (fault.endpoint === endpoint || (fault.endpoint === '*' && endpoint !== 'site')) &&
          (fault.persona === null || fault.persona === persona) &&
          (fault.fault.kind !== 'idle_close' || (idleMs !== null && idleMs >= fault.fault.idleMs)),
      );
      const chosen = fitting.find((fault) => fault.persona !== null) ?? fitting[0];
      if (!chosen) return null;
      if (chosen.timesLeft !== null) {
        chosen.timesLeft -= 1;
        if (chosen.timesLeft === 0) active = active.filter((fault) => fault !== chosen);
      }
      return chosen.fault;
    },
  };
}

/** The message continues a sentence that begins with the field's name, and states the whole range. */
function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.number(error).int(error).min(min, error).max(max, error);
}

function text(maxLength: number) {
  const error = `must be text of at most ${maxLength} characters`;
  return z.string(error).max(maxLength, error);
}

/** Node sends no other characters in a header: it would throw, and the call would fail in another way. */
function headerText(maxLength: number) {
  return text(maxLength).regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be one line of Latin-1 text');
}
