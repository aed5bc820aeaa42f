/**
 * The length of a text, everywhere that one has a limit: in code points of its composed form (NFC). So an emoji of
 * one code point counts as one, and `é` counts the same whether a keyboard composed it or not. The text itself stays
 * as it was sent.
 */
import { z } from 'zod';

const isPlain = (text: string) => !/[^\0-\x7f]/.test(text);

export function lengthOf(text: string): number {
  return isPlain(text) ? text.length : Array.from(text.normalize()).length;
}

const lengthChecks = new Set(['max_length', 'min_length', 'length_equals']);

type Check = z.core.$ZodCheck['_zod'];

/** Shared schemas are in several models. */
const composing = new WeakSet<Check>();

/**
 * Makes the length checks of each string in a model measure the composed form. zod itself counts code points of the
 * text as it is. The bounds in its JSON Schema stay the same: there, too, they count code points.
 *
 * @returns The same model. A check that is shared with another model counts the same there.
 */
export function countComposed<Model extends z.ZodType>(model: Model): Model {
  z.toJSONSchema(model, {
    io: 'input',
    unrepresentable: 'any',
    // Called for each schema in the model.
    override({ zodSchema }) {
      const { type, checks = [] } = zodSchema._zod.def;
      if (type !== 'string') return;
      for (const { _zod: check } of checks) {
        if (lengthChecks.has(check.def.check)) measureComposed(check);
      }
    },
  });
  return model;
}

function measureComposed(check: Check): void {
  if (composing.has(check)) return;
  composing.add(check);
  const measure = check.check.bind(check);
  check.check = (payload: z.core.ParsePayload) => {
    const { value } = payload;
    if (typeof value !== 'string' || isPlain(value)) return measure(payload as never);
    payload.value = value.normalize();
    const outcome = measure(payload as never);
    payload.value = value;
    return outcome;
  };
}
