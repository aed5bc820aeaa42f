/**
 * Declarations of operations: what is sent, what the response must be, and what the browser may see of
 * it. An operation that fits none is a function like those returned here.
 */
import { z } from 'zod';
import { withQuery, type ErrorCodes, type SdkCalls } from './calls.ts';

/** A resource's operations by name: each opens one method of the SDK, for a visitor's calls. */
export type Resource = Record<string, (calls: SdkCalls) => (...args: never[]) => unknown>;

/** The SDK of resources by name. */
export type SdkOf<Resources extends Record<string, Resource>> = {
  [Name in keyof Resources]: {
    [Operation in keyof Resources[Name]]: ReturnType<Resources[Name][Operation]>;
  };
};

/** Opens the SDK of a visitor. */
export function openResources<Resources extends Record<string, Resource>>(
  resources: Resources,
  calls: SdkCalls,
): SdkOf<Resources> {
  const opened = Object.entries(resources).map(([name, resource]) => [
    name,
    Object.fromEntries(
      Object.entries(resource).map(([operation, open]) => [operation, open(calls)]),
    ),
  ]);
  return Object.fromEntries(opened) as SdkOf<Resources>;
}

/** Below the internal address. Ids in it go through `segmentOf`. */
type Path<Input> = string | ((input: Input) => string);

type Target<Input> =
  | { get: Path<Input> }
  | { post: Path<Input> }
  | { put: Path<Input> }
  | { patch: Path<Input> }
  | { delete: Path<Input> };

export type OperationOptions<Input, Output, Once extends boolean> = Target<Input> & {
  /** Acts in the workspace that the SDK was opened for. A 409 says that it is gone. */
  inWorkspace?: true;
  query?: (input: Input) => Record<string, string | undefined>;
  /** The body, sent as JSON. */
  json?: (input: Input) => unknown;
  /**
   * Sent with an idempotency key, so that a repetition has no effect. A 409 with that code says that the
   * key was used for something else.
   */
  once?: Once;
  /**
   * What further statuses mean. These mean the same for every operation: 401, 402, 403, 429, and for
   * those in a workspace or with a key 409.
   */
  codes?: ErrorCodes | ((input: Input) => ErrorCodes);
  /** Milliseconds until the whole response. */
  deadline?: number;
  /** Maximum bytes of the response. */
  maxBytes?: number;
  /** Without it the response carries no data, and the status alone counts. */
  returns?: (response: ResponseParts<Input>) => Output;
};

/** What the result of an operation is made of. */
export interface ResponseParts<Input> {
  text: string;
  /** @throws {PlatformSdkError} 502 unless the text is JSON that the schema accepts. */
  parse: <T>(schema: z.ZodType<T>) => T;
  list: ReadList;
  input: Input;
}

/** Makes the result of a successful response. */
export type Returns<Input, Output> = (response: ResponseParts<Input>) => Output;

/** The valid items of a list, at most as many. Those left out are logged. */
type ReadList = <T>(schema: z.ZodType<T>, items: unknown[], most: number) => T[];

/** None where no function takes an input: it is then inferred as `unknown`, or `never` from a context. */
type InputArgs<Input> = [Input] extends [never]
  ? []
  : unknown extends Input
    ? []
    : undefined extends Input
      ? [input?: Input]
      : [input: Input];
type Args<Input, Once> = [
  ...InputArgs<Input>,
  ...(Once extends true ? [options: { idempotencyKey: string }] : []),
];

/** The types of the method follow from the functions' parameters and from what it returns. */
export function operation<Input = unknown, Output = void, const Once extends boolean = false>(
  options: OperationOptions<Input, Output, Once>,
): (calls: SdkCalls) => (...args: Args<Input, Once>) => Promise<Output> {
  const { inWorkspace, query, json, once, codes = {}, returns, deadline, maxBytes } = options;
  const [method, pathFor] = targetOf(options);
  const usual = conflictsOf(options);
  return (calls) =>
    async (...args) => {
      const input = args[0] as Input;
      const parameters = query?.(input);
      const base = typeof pathFor === 'string' ? pathFor : pathFor(input);
      const path = inWorkspace ? calls.inWorkspace(base, parameters) : withQuery(base, parameters);
      const key = once && (args.at(-1) as { idempotencyKey: string }).idempotencyKey;
      const text = await calls.send(
        {
          method,
          path,
          ...(json && { json: json(input) }),
          ...(key && { headers: { 'idempotency-key': key } }),
          ...(deadline !== undefined && { deadline }),
          ...(maxBytes !== undefined && { maxBytes }),
        },
        { ...usual, ...(typeof codes === 'function' ? codes(input) : codes) },
      );
      return returns?.({
        text,
        parse: (schema) => calls.parse(schema, text, path),
        list: (schema, items, size) => calls.readable(schema, items, { path, size }),
        input,
      }) as Output;
    };
}

/** What a 409 means unless the operation declares something else. */
function conflictsOf({ inWorkspace, once }: { inWorkspace?: true; once?: boolean }): ErrorCodes {
  const gone = 'workspace_gone';
  const reused = 'idempotency_key_reused';
  if (inWorkspace && once) return { 409: { [gone]: gone, [reused]: reused } };
  if (inWorkspace) return { 409: gone };
  return once ? { 409: reused } : {};
}

const methods = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;

function targetOf<Input>(target: Target<Input>) {
  for (const [name, method] of Object.entries(methods)) {
    const path = (target as Partial<Record<string, Path<Input>>>)[name];
    if (path !== undefined) return [method, path] as const;
  }
  throw new TypeError('An operation declares a method and its path, such as `get`.');
}

/**
 * One thing.
 *
 * @param schema names the fields that the site uses, and may transform them: everything else is dropped.
 * @param safe for a body that contains lists.
 */
export function body<Wire, Safe = Wire>(
  schema: z.ZodType<Wire>,
  safe: (body: Wire, list: ReadList) => Safe = (value) => value as unknown as Safe,
): Returns<unknown, Safe> {
  return ({ parse, list }) => safe(parse(schema), list);
}

const upstreamItems = z.object({ items: z.array(z.unknown()) });

/** `{ "items": […] }`, of which unreadable ones are left out. */
export function items<Safe, Input = unknown>(
  schema: z.ZodType<Safe>,
  most: number | ((input: Input) => number),
): Returns<Input, Safe[]> {
  return ({ parse, list, input }) =>
    list(schema, parse(upstreamItems).items, typeof most === 'number' ? most : most(input));
}

const upstreamPage = upstreamItems.extend({
  // A lone surrogate cannot be encoded in a URL.
  next_cursor: z
    .string()
    .refine((text) => text.isWellFormed())
    .nullish(),
});

/** The same with the cursor of the next page, null on the last one. */
export function page<Safe>(
  schema: z.ZodType<Safe>,
  size: number,
): Returns<unknown, { items: Safe[]; nextCursor: string | null }> {
  return ({ parse, list }) => {
    const { items: all, next_cursor: nextCursor = null } = parse(upstreamPage);
    return { items: list(schema, all, size), nextCursor };
  };
}

/**
 * For a change, which has been carried out whatever the response says of it (RFC 9110, section 15.3).
 * Null if it describes the changed thing unreadably or not at all.
 */
export function changed<Safe>(schema: z.ZodType<Safe>): Returns<unknown, Safe | null> {
  return ({ text, parse, list }) =>
    text === '' ? null : (list(schema, [parse(z.unknown())], 1)[0] ?? null);
}
