/** Reading a form in an action. */
import { parseWithZod } from '@conform-to/zod/v4';
import type { z } from 'zod';

/**
 * The `headers` of a route whose action may respond with `retry-after`. The framework drops an action's headers from document
 * responses unless the route exports `headers`; `Set-Cookie` is kept.
 */
export function headersOfResponse({ actionHeaders }: { actionHeaders: Headers }): HeadersInit {
  const wait = actionHeaders.get('retry-after');
  return wait === null ? {} : { 'retry-after': wait };
}

/** The framework routes every method but GET and HEAD to the action. */
export function onlyPost({ method }: Request): void {
  if (method !== 'POST') {
    throw new Response(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } });
  }
}

/** @throws {Response} 400 when the body is not a form. */
export async function readFields(request: Request): Promise<FormData> {
  const form = await request.formData().catch(() => null);
  if (!form) throw new Response(null, { status: 400 });
  return form;
}

/** The value of a field that the page itself fills in; empty if it is missing or repeated. */
export function textOf(form: FormData, name: string): string {
  const [value, ...more] = form.getAll(name);
  return typeof value === 'string' && more.length === 0 ? value : '';
}

/**
 * Whether a form, or a request by its `?account=`, comes from a page of this account. The page sends the key of the
 * account that it was loaded for, as `account`. Nothing there is nobody's, as from a page that was loaded signed out:
 * it is this account's only if its own key is empty, which tells nobody apart.
 */
export function isFromPageOf(key: string, sent: SentByPage): boolean {
  return accountOf(sent) === key;
}

/** A form, its fields so far while it streams, or a request that has them in its address. */
export type SentByPage = FormData | ReadonlyMap<string, string> | Request;

function accountOf(sent: SentByPage): string {
  if (sent instanceof FormData) return textOf(sent, 'account');
  const fields = sent instanceof Request ? new URL(sent.url).searchParams : sent;
  return fields.get('account') ?? '';
}

/**
 * Parses only the fields that the schema names: other input never reaches the parser, which would
 * spend memory on a name such as `a[9999999]`.
 */
export function parseFields<Schema extends z.ZodObject>(form: FormData, schema: Schema) {
  const own = new FormData();
  for (const name of Object.keys(schema.shape)) {
    const [value, ...more] = form.getAll(name);
    if (typeof value === 'string' && more.length === 0) own.set(name, value);
  }
  return parseWithZod(own, { schema });
}
