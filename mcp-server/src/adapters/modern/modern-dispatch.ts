/** The modern era over one runtime: no handshake and no sessions, each request by itself (MCP 2026-07-28). */
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

/** One for all connections of a transport. */
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
      // The one code that the modern era took back.
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

/** For how long clients may keep what they were given: all of it is made at the start, and the same for everybody. */
const forEverybody = { ttlMs: fiveMinutes, cacheScope: 'public' } as const;
/** Whose resources these are, and whether they change, is the service's to say. */
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

/** What each result of the modern era says beside itself. */
function createCompletion(runtime: Runtime): (method: string, result: AnyResult) => AnyResult {
  const serverInfo = serverInfoOf(runtime);
  /** Of results that never change, so that a transport sees the same object again. */
  const kept = new WeakMap<object, AnyResult>();

  function completed(method: string, result: Fields): AnyResult {
    const { resultType = 'complete', _meta } = result;
    // Fields are set rather than spread: a result is made for one answer, and copying it costs as much as making it.
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
