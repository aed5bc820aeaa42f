/** Dispatches requests of the modern era: no handshake, no sessions, each request self-contained (MCP 2026-07-28). */
import type { AnyResult, Call, Connection, Handler } from '../connection.ts';
import { capabilitiesOf, handle, methods, serverInfoOf, type Dispatch } from '../dispatch.ts';
import { codes, ProtocolError } from '../protocol-error.ts';
import type { Runtime } from '../runtime.ts';
import { metaKeys, readEnvelope, supportedVersions } from './envelope.ts';
import { listen } from './listen.ts';
import type { RequestStates } from '../questions/request-state.ts';

export interface ModernOptions extends Pick<Connection, 'secretPages'> {
  readonly states: RequestStates;
}

/** Creates one dispatcher for all connections of a transport. */
export function createModernDispatch(
  runtime: Runtime,
  { states, ...pages }: ModernOptions,
): Dispatch {
  const connection: Connection = { mode: 'modern', ...pages };
  const handlers = handlersOf(runtime);
  const complete = createCompletion(runtime);
  return async ({ method, params }, caller, extra) => {
    const remembered = readEnvelope(params);
    const handler = handlers.get(method);
    if (!handler) {
      throw new ProtocolError(codes.methodNotFound, 'Method not found', undefined, 404);
    }
    const call: Call = { runtime, connection, remembered, caller, extra, states };
    try {
      return complete(method, await handle(handler, method, params, call));
    } catch (error) {
      // The modern era has no code of its own for a missing resource.
      if (error instanceof ProtocolError && error.code === codes.resourceNotFound) {
        throw new ProtocolError(codes.invalidParams, error.message, error.data);
      }
      throw error;
    }
  };
}

function handlersOf(runtime: Runtime): ReadonlyMap<string, Handler> {
  const { resources, ...others } = capabilitiesOf(runtime);
  const changes = runtime.subscriptions.isOffered && { subscribe: true, listChanged: true };
  const capabilities = { ...others, ...(resources && { resources: { ...resources, ...changes } }) };
  const discover: Handler = () => ({
    supportedVersions: [...supportedVersions],
    capabilities,
    instructions: runtime.service.instructions,
  });
  const handlers = new Map<string, Handler>([
    ['server/discover', discover],
    ['subscriptions/listen', listen],
  ]);
  for (const [capability, method, handler] of methods) {
    if (capabilities[capability]) {
      handlers.set(method, runtime.extension?.handlers.get(method) ?? handler);
    }
  }
  return handlers;
}

const fiveMinutes = 5 * 60_000;

/** Cache hint for results that are built at startup and the same for every caller. */
const forEverybody = { ttlMs: fiveMinutes, cacheScope: 'public' } as const;
/** Cache hint for resources: only the service knows whether they are shared and when they change. */
const forItsCaller = { ttlMs: 0, cacheScope: 'private' } as const;

const cacheHints = new Map<string, { readonly ttlMs: number; readonly cacheScope: string }>([
  ['server/discover', forEverybody],
  ['tools/list', forEverybody],
  ['prompts/list', forEverybody],
  ['resources/templates/list', forEverybody],
  ['resources/list', forItsCaller],
  ['resources/read', forItsCaller],
]);

type Fields = Record<string, unknown>;

/** Adds the fields that each result of the modern era has. */
function createCompletion(runtime: Runtime): (method: string, result: AnyResult) => AnyResult {
  const serverInfo = serverInfoOf(runtime);
  /** Completed copies of frozen results, so that a transport sees the same object each time. */
  const kept = new WeakMap<object, AnyResult>();

  function completed(method: string, result: Fields): AnyResult {
    const { resultType = 'complete', _meta } = result;
    // Mutated instead of copied: a result is used for one response, and a copy costs as much as creating it.
    result['resultType'] = resultType;
    result['_meta'] = { ...(_meta as Fields | undefined), [metaKeys.serverInfo]: serverInfo };
    const hint = cacheHints.get(method);
    if (hint && resultType === 'complete') {
      result['ttlMs'] ??= hint.ttlMs;
      result['cacheScope'] ??= hint.cacheScope;
    }
    return result;
  }

  return (method, result) => {
    if (!Object.isFrozen(result)) return completed(method, result);
    const known = kept.get(result) ?? Object.freeze(completed(method, { ...result }));
    kept.set(result, known);
    return known;
  };
}
