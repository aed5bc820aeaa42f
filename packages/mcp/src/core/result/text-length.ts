/**
 * The length of a text, everywhere that one has a limit: in code points of its composed form (NFC). So an emoji of
 * one code point counts as one, and `é` counts the same whether a keyboard composed it or not. The text itself stays
 * as it was sent.
 */
import type { z } from 'zod';

/** The most code points that one composed character decomposes to: four, as in `\u1f82`. */
export const longestDecomposition = 4;

/**
 * Whether a text certainly composes to more characters than that, without composing it: each composed character
 * comes from at most four code points, each of at most two UTF-16 units.
 */
function isFarLonger(text: string, max: number): boolean {
  return text.length > max * longestDecomposition * 2;
}

const isPlain = (text: string) => !/[^\0-\x7f]/.test(text);

/**
 * More combining marks in a row than any language has (UAX #15, Stream-Safe Text Format). A text with that many is
 * counted as it is, because `normalize` sorts them in quadratic time.
 */
const endlessMarks = /\p{M}{31}/u;

const compose = (text: string) => (endlessMarks.test(text) ? text : text.normalize());

/** Linear in `max`, however long the text is. */
export function isLongerThan(text: string, max: number): boolean {
  if (isFarLonger(text, max)) return true;
  if (isPlain(text)) return text.length > max;
  const characters = compose(text)[Symbol.iterator]();
  for (let length = 0; length <= max; length += 1) if (characters.next().done) return false;
  return true;
}

type Check = z.core.$ZodCheck['_zod'];
type CheckDefinition = (
  | z.core.$ZodCheckMaxLength
  | z.core.$ZodCheckMinLength
  | z.core.$ZodCheckLengthEquals
  | z.core.$ZodCheckRegex
)['_zod']['def'];

/** Returns the length that a check compares with. Undefined if it is no check of a length. */
function boundOf(check: Check): number | undefined {
  const def = check.def as CheckDefinition;
  if (def.check === 'max_length') return def.maximum;
  if (def.check === 'min_length') return def.minimum;
  return def.check === 'length_equals' ? def.length : undefined;
}

/** Shared schemas are in several models. */
const composing = new WeakSet<Check>();

/**
 * Makes the length checks of the texts in a model measure the composed form. zod itself counts code points of the
 * text as it is. The bounds in its JSON Schema stay the same: there, too, they count code points.
 *
 * It replaces the functions of zod's own checks. A check written for `z.check()` would need no such access, but zod's
 * JSON Schema has a `maxLength` only for `.max()`, and each service would have to use another method than the one
 * that zod documents. `z.templateLiteral` compiles the lengths of its parts to a pattern, which is not changed: the
 * input of a tool cannot have one.
 *
 * @returns The same model. A check that is shared with another model counts the same there.
 */
export function countComposed<Model extends z.ZodType>(model: Model): Model {
  for (const check of checksIn(model, new Set())) {
    const bound = boundOf(check);
    if (bound !== undefined) measureComposed(check, bound);
  }
  return model;
}

/** Yields each check in a definition, at any depth: of both sides of a pipe, of the keys of a map and so on. */
function* checksIn(part: unknown, visited: Set<object>): Generator<Check> {
  if (typeof part !== 'object' || part === null || visited.has(part)) return;
  visited.add(part);
  if ('_zod' in part) {
    const internals = part._zod as Check & { readonly innerType?: unknown };
    yield internals;
    yield* checksIn(internals.def, visited);
    // Of `z.lazy`, whose definition has a function instead.
    yield* checksIn(internals.innerType, visited);
  } else if (Array.isArray(part) || Object.getPrototypeOf(part) === Object.prototype) {
    for (const field of Object.values(part)) yield* checksIn(field, visited);
  }
}

function measureComposed(check: Check, bound: number): void {
  if (composing.has(check)) return;
  composing.add(check);
  const measure = check.check.bind(check);
  check.check = (payload: z.core.ParsePayload) => {
    const { value } = payload;
    // A text that is far longer exceeds the bound in either form, so that composing it would change nothing.
    if (typeof value !== 'string' || isFarLonger(value, bound) || isPlain(value)) {
      return measure(payload as never);
    }
    payload.value = compose(value);
    const outcome = measure(payload as never);
    payload.value = value;
    return outcome;
  };
}
