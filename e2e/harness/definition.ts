/**
 * What a platform can do, besides knowing who somebody is: the part of the simulator that each site
 * describes for itself (`e2e/platform/`). Faults, the ledger and the platform's page follow its list.
 */
import type { IncomingHttpHeaders } from 'node:http';

import type { Clock } from './clock';
import type { Answer } from './internal-api/fault-delivery';
import type { Persona, PersonaBook } from './people/personas';

export interface PlatformDefinition<State> {
  /** The people who can sign in, as in `personas.json`. */
  personas: unknown;
  /** Makes what the platform keeps. Called at the start, and again at each reset. */
  createState: (parts: { clock: Clock }) => State;
  operations: readonly Operation<State>[];
}

/** One operation of the internal API, for a visitor who is signed in. */
export interface Operation<State> {
  /** What faults and the ledger call it: a word such as `submit`. */
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A path whose segments may be parameters, such as `/generations/:id`. */
  path: string;
  /** Bytes that its body may have: more is answered 413. Default: {@link defaultMaxBytes}. */
  maxBytes?: number;
  run: (call: OperationCall<State>) => Answer;
}

export interface OperationCall<State> {
  /** Whose ticket the call carries. */
  persona: Persona;
  /** Balances, and the profile as it is now. */
  personas: PersonaBook;
  state: State;
  /** The parameters of the path. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Bytes: enough for a little JSON. */
export const defaultMaxBytes = 64 * 1024;

/** An operation, and how its path is told from others. */
export type RoutedOperation<State> = Operation<State> & { pattern: RegExp };

/** Names that mean something else to faults and the ledger. */
const reserved = ['*', 'user', 'site', 'unknown'];

/** @throws {Error} when a name is reserved or given twice. */
export function routesOf<State>({
  operations,
}: PlatformDefinition<State>): RoutedOperation<State>[] {
  const names = new Set(reserved);
  return operations.map((operation) => {
    if (names.has(operation.name)) {
      throw new Error(`Two operations of the platform are called ${operation.name}.`);
    }
    names.add(operation.name);
    return { ...operation, pattern: patternOf(operation.path) };
  });
}

function patternOf(path: string): RegExp {
  const literal = path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${literal.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
}
