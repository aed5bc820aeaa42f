/** Kysely on PostgreSQL: a pool whose waits are all bounded, and what its errors mean. */
import { Socket } from 'node:net';
import { PostgresDialect, type Dialect } from 'kysely';
import pg from 'pg';
import { withUnavailable, type UnavailableReason } from './unavailable.server';

export interface PostgresDialectOptions {
  /** `postgres://…`, with credentials. */
  url: string;
  /** Connections at most. */
  connections: number;
  /** Milliseconds for one statement, 0 for as long as it takes. */
  statementTimeout: number;
  /** Milliseconds to wait for a connection, whether all are taken or none can be made. */
  connectTimeout: number;
  /** Told what happens to a connection that nobody uses at the time. */
  onProblem: (error: Error) => void;
}

export function postgresDialect(options: PostgresDialectOptions): Dialect {
  const { url, connections, statementTimeout, connectTimeout } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectTimeout,
    // A deadlock or a lock that is never given up ends here too.
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: statementTimeout * 2,
    application_name: 'site',
    types: { getTypeParser },
  });
  // An error without a listener ends the process: that of a connection while no statement runs on it, in a
  // transaction too, and of the pool, which tells the same of its idle ones.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', options.onProblem);
    if (statementTimeout === 0) return;
    // A server that is there answers every statement within its timeout. Where it is silent for longer, the network
    // has lost it, and TCP would wait for a quarter of an hour.
    const connection: unknown = Reflect.get(client, 'connection');
    if (!(connection instanceof pg.Connection)) return;
    const { stream } = connection;
    if (stream instanceof Socket) stream.setTimeout(statementTimeout * 2, () => stream.destroy());
  });
  return withUnavailable(new PostgresDialect({ pool }), reasonOf);
}

/** Counts come as numbers, as from the file store. pg's default is text. */
const getTypeParser: pg.CustomTypesConfig['getTypeParser'] = (oid, format): unknown =>
  oid === pg.types.builtins.INT8 && format !== 'binary'
    ? Number
    : pg.types.getTypeParser(oid, format);

/** By SQLSTATE, its class, or Node's code. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const reasons: Readonly<Partial<Record<string, UnavailableReason>>> = {
  '08': 'unreachable',
  // Too many connections, out of memory.
  '53': 'unreachable',
  '53100': 'full',
  // The server goes, comes, or has crashed.
  '57P01': 'unreachable',
  '57P02': 'unreachable',
  '57P03': 'unreachable',
  '57P05': 'unreachable',
  // A statement's timeout.
  '57014': 'timeout',
  '25P03': 'timeout',
  // Deadlock, serialization, a lock that is taken: the same again may well pass.
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

/** What pg and its pool throw without a code. */
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
