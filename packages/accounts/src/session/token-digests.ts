/**
 * Wraps the library's session storage to store digests instead of tokens, so that a copy of the
 * database cannot be used to sign in. The library gets the plain token back only when it creates a
 * session or looks one up by its token.
 */
import { createHash } from 'node:crypto';
import type { BetterAuthOptions, DBAdapter, DBTransactionAdapter, Where } from 'better-auth';

type AdapterFactory = (options: BetterAuthOptions) => DBAdapter;

/** The value that is stored instead of a session's token. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** @param createAdapter storage that handles plain tokens. */
export function withTokenDigests(createAdapter: AdapterFactory): AdapterFactory {
  return (options) => {
    const adapter = createAdapter(options);
    return {
      ...digesting(adapter),
      transaction: (run) => adapter.transaction((inner) => run(digesting(inner))),
    };
  };
}

function digesting<Adapter extends DBTransactionAdapter>(adapter: Adapter): Adapter {
  return {
    ...adapter,
    create: async (call) => {
      if (call.model !== 'session') return adapter.create(call);
      const token = tokenIn(call.data);
      const stored = await adapter.create({ ...call, data: digestedData(call.data) });
      return withToken(stored, token);
    },
    findOne: async (call) => {
      if (call.model !== 'session') return adapter.findOne(call);
      const token = call.where.find(isToken)?.value;
      const found = await adapter.findOne({ ...call, where: digestedWhere(call.where) });
      return withToken(found, token);
    },
    update: async (call) => {
      if (call.model !== 'session') return adapter.update(call);
      const token = call.where.find(isToken)?.value;
      const updated = await adapter.update({
        ...call,
        where: digestedWhere(call.where),
        update: digestedData(call.update),
      });
      return withToken(updated, token);
    },
    findMany: (call) => adapter.findMany(digestedCall(call)),
    updateMany: (call) =>
      adapter.updateMany(
        call.model === 'session'
          ? { ...digestedCall(call), update: digestedData(call.update) }
          : call,
      ),
    delete: (call) => adapter.delete(digestedCall(call)),
    deleteMany: (call) => adapter.deleteMany(digestedCall(call)),
    consumeOne: (call) => adapter.consumeOne(digestedCall(call)),
    count: (call) => adapter.count(digestedCall(call)),
  };
}

function isToken({ field }: Where): boolean {
  return field === 'token';
}

function digestedCall<Call extends { model: string; where?: Where[] | undefined }>(
  call: Call,
): Call {
  if (call.model !== 'session' || !call.where) return call;
  return { ...call, where: digestedWhere(call.where) };
}

function digestedWhere(where: Where[]): Where[] {
  return where.map((clause) =>
    isToken(clause) ? { ...clause, value: digested(clause.value) } : clause,
  );
}

function digested(value: Where['value']): Where['value'] {
  if (typeof value === 'string') return digestOf(value);
  if (Array.isArray(value)) return value.map((token) => digestOf(String(token)));
  // Tokens are only compared with strings. Any other value matches no session.
  return '';
}

function tokenIn(data: object): unknown {
  return 'token' in data ? data.token : undefined;
}

function digestedData<Data extends object>(data: Data): Data {
  const token = tokenIn(data);
  return typeof token === 'string' ? { ...data, token: digestOf(token) } : data;
}

function withToken<Row>(row: Row, token: unknown): Row {
  if (typeof token === 'string' && typeof row === 'object' && row !== null) {
    return Object.assign(row, { token });
  }
  return row;
}
