/** Kysely on PostgreSQL: a pool in which every wait has a timeout, and a mapping of its errors. */
import { Socket } from 'node:net';
import { PostgresDialect, type Dialect } from 'kysely';
import pg from 'pg';
import { withUnavailable, type UnavailableReason } from './unavailable.ts';

export interface PostgresDialectOptions {
  /** `postgres://…`, with credentials. */
  url: string;
  /** Maximum connections. */
  connections: number;
  /** Milliseconds for one statement; 0 means no limit. */
  statementTimeout: number;
  /** Milliseconds to wait for a free or new connection. */
  connectTimeout: number;
  /** Called for an error on an idle connection. */
  onProblem: (error: Error) => void;
}

export function postgresDialect(options: PostgresDialectOptions): Dialect {
  const { url, connections, statementTimeout, connectTimeout } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectTimeout,
    // Also ends waits for locks and deadlocks.
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: statementTimeout * 2,
    application_name: 'site',
    types: { getTypeParser },
  });
  // An 'error' event without a listener ends the process. Clients emit it when no statement is
  // running, also within a transaction; the pool repeats those of its idle clients.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', options.onProblem);
    if (statementTimeout === 0) return;
    // A reachable server answers every statement within its timeout. If it is silent for longer,
    // the connection is dead, and TCP would take a quarter of an hour to notice.
    const connection: unknown = Reflect.get(client, 'connection');
    if (!(connection instanceof pg.Connection)) return;
    const { stream } = connection;
    if (stream instanceof Socket) stream.setTimeout(statementTimeout * 2, () => stream.destroy());
  });
  return withUnavailable(new PostgresDialect({ pool }), reasonOf);
}

/** Returns counts as numbers, as the file store does. pg's default is strings. */
const getTypeParser: pg.CustomTypesConfig['getTypeParser'] = (oid, format): unknown =>
  oid === pg.types.builtins.INT8 && format !== 'binary'
    ? Number
    : pg.types.getTypeParser(oid, format);

/**
 * By SQLSTATE, SQLSTATE class or Node's error code.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const reasons: Readonly<Partial<Record<string, UnavailableReason>>> = {
  '08': 'unreachable',
  // Too many connections, or out of memory.
  '53': 'unreachable',
  '53100': 'full',
  // The server is shutting down, starting up, or has crashed.
  '57P01': 'unreachable',
  '57P02': 'unreachable',
  '57P03': 'unreachable',
  '57P05': 'unreachable',
  // A statement timed out.
  '57014': 'timeout',
  '25P03': 'timeout',
  // Deadlock, serialisation failure, or a lock that is taken: a retry may well succeed.
  '40': 'locked',
  '55P03': 'locked',
  // The primary has become a replica.
  '25006': 'unreachable',
  '58': 'unreachable',
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  ECONNABORTED: 'unreachable',
  EPIPE: 'unreachable',
  ETIMEDOUT: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  ENOENT: 'unreachable',
};

/** Errors that pg and its pool throw without a code. */
const messages: readonly [RegExp, UnavailableReason][] = [
  [
    /timeout exceeded when trying to connect|Connection terminated due to connection timeout/,
    'timeout',
  ],
  [/Connection terminated|not queryable|connection error/, 'unreachable'],
];

function reasonOf(error: unknown): UnavailableReason | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = reasons[code] ?? reasons[/^\w{5}$/.test(code) ? code.slice(0, 2) : ''];
  if (known) return known;
  return messages.find(([text]) => text.test(error.message))?.[1];
}
