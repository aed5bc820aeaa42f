/**
 * The expected responses of the site for each fault of the simulator. The type requires a list for each kind.
 * `faults.spec.ts` sets every fault on every endpoint, and checks every route ("door") that leads to it.
 */
import { platformMessages } from '../../app/shell/platform/platform-messages';
import type { PlatformErrorCode } from '@gatehouse/platform';
import { expect } from '../../e2e/fixtures';
import type { FaultInput, FaultKind } from '@gatehouse/simulator/platform';

/** Part of every error body of the platform. A visitor must never see it. */
export const canary = 'canary-7c1f';
export const errorBody = JSON.stringify({
  error: canary,
  message: `${canary} at gpu-07.internal`,
});

/** The endpoints that this site calls. It has no upload: `docs/recipes/studio/upload.md` adds one. */
export const calledEndpoints = ['*', 'user', 'submit', 'list', 'status', 'output'] as const;
export type CalledEndpoint = (typeof calledEndpoints)[number];
export type Operation = Exclude<CalledEndpoint, '*' | 'user'>;
type Failure = readonly [status: number, code: PlatformErrorCode];

/** A resource route's response. The content type defaults to JSON. */
interface ResourceResponse {
  status: number;
  text: string;
  contentType?: string | undefined;
}

/** The responses when `/user` yields no user. */
interface Refusal {
  /** A resource route of an operation: the platform's own response, as W10 requires. */
  resource: ResourceResponse;
  /** The status of a page that needs an account. */
  account: number;
  /** The studio's form. */
  form: Failure;
}

export interface FaultResponse {
  fault: FaultInput;
  /** The response of `/api/user` when the fault is on `/user`. Absent: the same as without the fault. */
  relay?: Partial<ResourceResponse>;
  /** The responses of all other routes in that case. Absent: the same as without the fault. */
  refusal?: Refusal;
  /** The response of an operation with the fault. Absent: the same as without the fault. */
  operation?: Failure | ((name: Operation) => Failure);
  /** The platform creates the submitted picture although its response is unusable. */
  makes?: true;
  /** `/user` names another person than the one whose page sent the form. */
  another?: true;
  /** The site responds only after a deadline. */
  slow?: true;
  /** The site retries a GET once, and the fault also affects the second attempt. */
  again?: true;
  /** The fault occurs after the picture's download has begun, so the response is cut off and carries no error. */
  cutsPicture?: true;
}

const unavailable = '{"error":"upstream_unavailable"}';
const outOfUse: Failure = [502, 'upstream_unavailable'];

/** A fault that leaves no usable response, on any endpoint. */
function lost(fault: FaultInput, status: 502 | 504 = 502): FaultResponse {
  return {
    fault,
    relay: { status, text: unavailable },
    refusal: {
      resource: { status, text: unavailable },
      account: status,
      form: [status, 'upstream_unavailable'],
    },
    operation: [status, 'upstream_unavailable'],
  };
}

/** `/user` responded with a success status, but without a user. */
const nobody: Refusal = {
  resource: { status: 502, text: unavailable },
  account: 200,
  form: outOfUse,
};

/** The statuses of `/user` that a page has, too; others say nothing about the page. */
const passedOn: ReadonlySet<number> = new Set([403, 429, 503, 504]);

/** An error status: the response of `/user` is relayed; an operation responds with one of the site's own codes. */
function status(
  code: number,
  operation: NonNullable<FaultResponse['operation']>,
  refusal: Partial<Refusal> = {},
): FaultResponse {
  return {
    fault: { kind: 'status', status: code, body: errorBody },
    relay: { status: code, text: errorBody },
    refusal: {
      resource: { status: code, text: errorBody },
      account: passedOn.has(code) ? code : 502,
      form: [code, 'upstream_unavailable'],
      ...refusal,
    },
    operation,
  };
}

/** A status with a meaning for visitors in these operations only; in others it counts as a platform failure. */
function only(names: Operation[], failure: Failure): (name: Operation) => Failure {
  return (name) => (names.includes(name) ? failure : outOfUse);
}

const errorPage = `<h1>${canary}</h1><script>alert(1)</script>`;

/** Whether `idle_close` affects a call depends on the connection that the call gets, so it has a separate test. */
export type RespondingKind = Exclude<FaultKind, 'idle_close'>;

export const faultResponses: Record<RespondingKind, readonly FaultResponse[]> = {
  status: [
    status(401, [401, 'unauthorized'], { account: 302, form: [401, 'unauthorized'] }),
    status(402, [402, 'insufficient_credits']),
    status(403, [403, 'forbidden'], { form: [403, 'forbidden'] }),
    status(404, only(['status', 'output'], [404, 'not_found'])),
    status(409, (name) =>
      name === 'list' ? [409, 'workspace_gone'] : only(['output'], [409, 'not_ready'])(name),
    ),
    status(422, only(['submit'], [422, 'invalid_order'])),
    status(429, [429, 'rate_limited'], { form: [429, 'rate_limited'] }),
    status(418, outOfUse),
    status(500, outOfUse),
    status(503, outOfUse),
    // A redirect without a location: only `/api/user` relays it.
    status(302, outOfUse, {
      resource: { status: 502, text: errorBody },
      account: 502,
      form: outOfUse,
    }),
    {
      ...status(304, outOfUse, {
        resource: { status: 304, text: '' },
        account: 502,
        form: outOfUse,
      }),
      relay: { status: 304, text: '' },
    },
    { ...status(204, outOfUse), relay: { status: 204, text: '' }, refusal: nobody },
    {
      fault: { kind: 'status', status: 502, body: errorPage, contentType: 'text/html' },
      relay: { status: 502, text: errorPage, contentType: 'text/html' },
      refusal: { resource: { status: 502, text: 'null' }, account: 502, form: outOfUse },
      operation: outOfUse,
    },
    // Any JSON object is accepted as a profile, but not as a generation or a list of them.
    {
      fault: { kind: 'status', status: 200, body: errorBody },
      relay: { text: errorBody },
      operation: outOfUse,
      another: true,
    },
    lost({ kind: 'status', status: 999, body: errorBody }),
  ],
  delay: [
    { fault: { kind: 'delay', ms: 200 } },
    { ...lost({ kind: 'delay', ms: 60_000 }, 504), slow: true },
  ],
  drip: [
    { fault: { kind: 'drip', chunkBytes: 4_000, everyMs: 20 } },
    { ...lost({ kind: 'drip', chunkBytes: 1, everyMs: 400 }, 504), makes: true, slow: true },
  ],
  reset: [{ ...lost({ kind: 'reset' }), again: true }],
  truncated: [{ ...lost({ kind: 'truncated' }), makes: true, cutsPicture: true }],
  redirect: ([301, 302, 303, 307, 308] as const).map((code) => ({
    fault: { kind: 'redirect', status: code, location: `http://127.0.0.1:9/${canary}` },
    relay: { status: code, text: 'Moved.', contentType: 'text/plain' },
    refusal: { resource: { status: 502, text: 'null' }, account: 502, form: outOfUse },
    operation: outOfUse,
  })),
  oversized: [lost({ kind: 'oversized', bytes: 2 * 1024 * 1024 })],
  bad_json: [`{"id":"${canary}","name":`, `"${canary}"`, 'null', ''].map((body) => ({
    fault: { kind: 'bad_json', body },
    relay: { text: body },
    refusal: nobody,
    operation: outOfUse,
  })),
  content_type: [
    {
      fault: { kind: 'content_type', contentType: 'text/html; charset=utf-8' },
      relay: { contentType: 'text/html; charset=utf-8' },
    },
    { fault: { kind: 'content_type', contentType: null } },
    // Latin-1, which the site cannot relay in a header.
    { ...lost({ kind: 'content_type', contentType: 'text/\u00e9' }), makes: true },
  ],
  unreachable: [{ ...lost({ kind: 'unreachable' }), again: true }],
};

/** A route of the site, by how it is requested, and the operation that it calls. */
export interface Door {
  as: 'relay' | 'resource' | 'home' | 'studio' | 'studio data' | 'account' | 'form' | 'form data';
  /** The operation that the route calls after the guard. */
  operation?: Operation;
  /** The status without a fault. */
  status: number;
}

/** Everything that is checked after a request to a door. */
export interface Outcome {
  status: number;
  location: string | undefined;
  contentType: string | undefined;
  text: string | ReturnType<typeof containing>;
  isCacheable: boolean;
  /** Strings in the response that no visitor may see. */
  secrets: string[];
  /** The platform calls, in any order. */
  calls: string[];
  /** The calls that the fault affected. */
  struck: string[];
  /** After a submission: how many pictures exist once the fault is over. */
  pictures: number | undefined;
}

/** The outcome without a fault, with what the fault changes. */
export function outcomeOf(
  expected: FaultResponse,
  endpoint: CalledEndpoint,
  door: Door,
  persona: string,
): Outcome {
  const outcome = outcomeOfCall(expected, endpoint, door, persona);
  const struck = strikesUser(endpoint) ? 'user' : endpoint;
  if (!expected.again || struck === 'submit') return outcome;
  const { calls } = outcome;
  return {
    ...outcome,
    calls: calls.flatMap((call) => (call === struck ? [call, call] : [call])),
    struck: [...outcome.struck, ...outcome.struck],
  };
}

/** The platform calls of the studio's page in addition to its list. */
const besides = ['workspaces', 'estimate'];

function outcomeOfCall(
  expected: FaultResponse,
  endpoint: CalledEndpoint,
  door: Door,
  persona: string,
): Outcome {
  const { as, operation } = door;
  const usual: Outcome = {
    status: door.status,
    location: as === 'form' ? '/studio' : undefined,
    contentType: door.status === 303 ? undefined : contentTypes[as],
    text: as === 'relay' ? containing(persona) : containing(''),
    isCacheable: false,
    secrets: [],
    calls: [
      'user',
      ...(operation ? [operation] : []),
      ...(as === 'studio' || as === 'studio data' ? besides : []),
    ],
    struck: [`${strikesUser(endpoint) ? 'user' : endpoint} ${expected.fault.kind}`],
    pictures: operation === 'submit' ? 1 : undefined,
  };
  if (operation === 'output') usual.contentType = 'image/png';
  if (strikesUser(endpoint)) return { ...usual, ...withoutUser(expected, door) };
  if (!expected.operation || !operation) return usual;
  if (expected.cutsPicture && operation === 'output') return { ...usual, ...cutShort };

  const failure =
    typeof expected.operation === 'function' ? expected.operation(operation) : expected.operation;
  return {
    ...usual,
    ...failed(as, failure),
    // A form that is rendered again loads the list of pictures, too.
    calls: as === 'form' ? ['user', 'submit', 'list', ...besides] : usual.calls,
    pictures: operation === 'submit' && !expected.makes ? 0 : usual.pictures,
  };
}

/** The outcome of a response that is cut off. */
const cutShort = { status: 0, contentType: undefined, text: '' };

/** The changed parts of the outcome when the fault is on `/user`. */
function withoutUser(
  { relay, refusal, another }: FaultResponse,
  { as, operation }: Door,
): Partial<Outcome> {
  if (as === 'relay') return relay ?? {};
  if (another && operation === 'submit') {
    const calls = as === 'form' ? ['user', 'list', ...besides] : ['user'];
    return { ...failed(as, [409, 'account_changed']), calls, pictures: 0 };
  }
  if (!refusal) return {};
  const stopped = { calls: ['user'], pictures: operation === 'submit' ? 0 : undefined };
  const [status] = refusal.form;
  switch (as) {
    case 'resource':
      return { ...stopped, contentType: json, ...refusal.resource };
    case 'account': {
      const isRedirect = refusal.account === 302;
      return {
        ...stopped,
        status: refusal.account,
        ...(isRedirect && { location: '/__auth/login?return=%2Faccount', contentType: undefined }),
      };
    }
    case 'studio': {
      const message =
        status === 401 ? 'Sign in to generate pictures' : platformMessages.upstream_unavailable;
      return { ...stopped, text: containing(message) };
    }
    case 'form':
    case 'form data':
      return { ...stopped, ...failed(as, refusal.form) };
    default:
      return stopped;
  }
}

/** The changed parts of the outcome when an operation failed. */
function failed(as: Door['as'], [status, code]: Failure): Partial<Outcome> {
  const message = containing(platformMessages[code]);
  switch (as) {
    case 'resource':
      return { status, contentType: 'application/json', text: JSON.stringify({ error: code }) };
    case 'studio':
      return { text: message };
    case 'studio data':
      return { text: containing(`"${code}"`) };
    default:
      return { status, location: undefined, contentType: contentTypes[as], text: message };
  }
}

const html = 'text/html; charset=utf-8';
const json = 'application/json';

const contentTypes: Record<Door['as'], string> = {
  relay: json,
  resource: json,
  home: html,
  account: html,
  studio: html,
  'studio data': 'text/x-script',
  form: html,
  'form data': 'text/x-script',
};

const containing = (part: string) => expect.stringContaining(part);

export function strikesUser(endpoint: CalledEndpoint): boolean {
  return endpoint === 'user' || endpoint === '*';
}
