/**
 * The library's store of sessions, with digests in the place of tokens: a copy of the database signs nobody in.
 * The library knows the token of a session only while it makes one or looks one up, and gets it back there.
 */
import { createHash } from 'node:crypto';
import type { BetterAuthOptions, DBAdapter, DBTransactionAdapter, Where } from 'better-auth';

type AdapterFactory = (options: BetterAuthOptions) => DBAdapter;

/** What is stored in the place of a session's token. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** @param createAdapter the store with plain tokens. */
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
  if (Array.isArray(value)) return value.map((one) => digestOf(String(one)));
  // A token is compared with nothing else. A value that no digest equals finds no session.
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
