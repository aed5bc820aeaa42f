/**
 * The length of a text, everywhere that one has a limit: in code points of its composed form (NFC). So an emoji of
 * one code point counts as one, and `é` counts the same whether a keyboard composed it or not. The text itself stays
 * as it was sent.
 */
import { z } from 'zod';

const isPlain = (text: string) => !/[^\0-\x7f]/.test(text);

export function lengthOf(text: string): number {
  return isPlain(text) ? text.length : [...text.normalize()].length;
}

const lengthChecks = new Set(['max_length', 'min_length', 'length_equals']);

type Check = z.core.$ZodCheck<unknown>['_zod']['check'];
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
        if (!lengthChecks.has(check.def.check) || composing.has(check.check)) continue;
        check.check = ofComposed(check.check);
      }
    },
  });
  return model;
}

function ofComposed(check: Check): Check {
  const composed: Check = (payload) => {
    const { value } = payload;
    if (typeof value !== 'string' || isPlain(value)) return check(payload);
    payload.value = value.normalize();
    const outcome = check(payload);
    payload.value = value;
    return outcome;
  };
  composing.add(composed);
  return composed;
}
