/**
 * The ways in which the platform can fail on purpose. One table describes them for the API, the
 * page and the tests; `fault-delivery.ts` carries them out.
 */
import { z } from 'zod';

/** The kinds that do not alter an answer, so that they can stand in for the site's. */
const SITE_FAULTS: readonly FaultKind[] = ['status', 'reset', 'unreachable'];

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
    /** Null sends none. */
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
/** A fault as it may be written, with settings left out. */
export type FaultInput = z.input<typeof faultSchema>;
export type FaultKind = Fault['kind'];

/** Every kind in the order that the page shows, in words. */
export const FAULT_TABLE: readonly { kind: FaultKind; label: string; effect: string }[] = [
  { kind: 'status', label: 'Status', effect: 'Answers with a status, body and content type.' },
  { kind: 'delay', label: 'Delay', effect: 'Waits before the first byte, then answers normally.' },
  { kind: 'drip', label: 'Slow drip', effect: 'Sends the body a few bytes at a time.' },
  { kind: 'reset', label: 'Reset', effect: 'Resets the connection instead of answering.' },
  {
    kind: 'idle_close',
    label: 'Idle close',
    effect: 'Closes a connection that was idle just as the next call sets out on it.',
  },
  { kind: 'truncated', label: 'Truncated', effect: 'Promises a whole body and sends half of it.' },
  { kind: 'redirect', label: 'Redirect', effect: 'Sends the caller somewhere else.' },
  { kind: 'oversized', label: 'Oversized', effect: 'Sends megabytes of valid JSON.' },
  { kind: 'bad_json', label: 'Bad JSON', effect: 'Answers 200 with JSON that does not parse.' },
  { kind: 'content_type', label: 'Wrong type', effect: 'The right body under a wrong name.' },
  {
    kind: 'unreachable',
    label: 'Unreachable',
    effect: 'Refuses connections (all endpoints), or hangs up (one).',
  },
];

/** To which calls a fault applies. */
export const faultScopeSchema = z.strictObject({
  /** Only this many calls; absent means until cleared. */
  times: wholeNumber(1, 10_000).optional(),
  /** Only calls for this person, so that tests that run side by side do not collide. */
  persona: z.string().optional(),
});

type FaultScope = z.infer<typeof faultScopeSchema>;

/** All that may fail: the whole internal API, `/user`, an operation, or the site as the edge answers for it. */
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
   * Makes an endpoint fail, in place of an earlier fault of the same endpoint and person. Resolves
   * when it is in force.
   *
   * @throws {z.ZodError} when the fault or its scope is malformed.
   * @throws {Error} one sentence that lists the names when there is nothing of this one, or when the edge
   *   cannot fail so.
   */
  set(endpoint: FaultTarget<Name>, fault: FaultInput, scope?: FaultScope): Promise<void>;
  /**
   * Ends the faults of one endpoint, or all of them.
   *
   * @param persona ends only those of this person, so that others who are at it side by side keep theirs.
   * @throws {Error} as `set` does, for a name that nothing has.
   */
  clear(endpoint?: FaultTarget<Name>, persona?: string): Promise<void>;
  active(): ActiveFault[];
  /**
   * The fault that the next call meets; counts it. The newest and narrowest wins.
   *
   * @param idleMs how long the call's connection was idle before it; null where it is the first call on it.
   */
  take(endpoint: string, persona: string | null, idleMs?: number | null): Fault | null;
}

/**
 * Makes an empty set of faults.
 *
 * @param targets the names of all that may fail. At `site` the edge answers in the site's place, so that
 *   a request never gets there; `*` is the whole internal API, and does not mean it.
 * @param setListening stops or restarts the internal server for `unreachable` on every endpoint.
 */
export function createFaults(
  targets: readonly string[],
  setListening: (listening: boolean) => Promise<void>,
): Faults {
  let active: ActiveFault[] = [];

  const mustExist = (endpoint: string): void => {
    if (targets.includes(endpoint)) return;
    throw new Error(`Nothing is called ${endpoint}: a fault strikes ${targets.join(', ')}.`);
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
        throw new Error(`The edge fails the site by ${SITE_FAULTS.join(', ')} only.`);
      }
      active = active.filter((one) => one.endpoint !== endpoint || one.persona !== persona);
      active.unshift({ endpoint, fault: parsed, persona, timesLeft: times });
      await applyListening();
    },
    async clear(endpoint, persona) {
      if (endpoint !== undefined) mustExist(endpoint);
      const ends = (one: ActiveFault): boolean =>
        (endpoint === undefined || one.endpoint === endpoint) &&
        (persona === undefined || one.persona === persona);
      active = active.filter((one) => !ends(one));
      await applyListening();
    },
    active: () => active.map((one) => ({ ...one })),
    take(endpoint, persona, idleMs = null) {
      const fitting = active.filter(
        (one) =>
          (one.endpoint === endpoint || (one.endpoint === '*' && endpoint !== 'site')) &&
          (one.persona === null || one.persona === persona) &&
          (one.fault.kind !== 'idle_close' || (idleMs !== null && idleMs >= one.fault.idleMs)),
      );
      const chosen = fitting.find((one) => one.persona !== null) ?? fitting[0];
      if (!chosen) return null;
      if (chosen.timesLeft !== null) {
        chosen.timesLeft -= 1;
        if (chosen.timesLeft === 0) active = active.filter((one) => one !== chosen);
      }
      return chosen.fault;
    },
  };
}

/** A refusal reads as a sentence after the field's name, and tells the whole range. */
function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.number(error).int(error).min(min, error).max(max, error);
}

function text(maxLength: number) {
  const error = `must be text of at most ${maxLength} characters`;
  return z.string(error).max(maxLength, error);
}

/** Node sends no other characters in a header, and would break the call instead. */
function headerText(maxLength: number) {
  return text(maxLength).regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be one line of Latin-1 text');
}
