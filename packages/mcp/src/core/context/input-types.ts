/** Input types of an elicitation form, and validation of the answer (M23). */
import { z } from 'zod';
import type { InputType, InputValue } from './tool-context.ts';
import { ToolError } from '../result/errors.ts';
import { countComposed } from '../result/text-length.ts';

/** Excludes `password`: the client and the model can read a form's answer. */
export type FormType = Exclude<InputType, 'password'>;

/** The schema of the single field of a form, as `elicitation/create` accepts it. */
type FieldSchema =
  | { type: 'string'; minLength: number; maxLength: number; format?: 'email' | 'date' }
  | { type: 'string'; enum: string[] }
  | { type: 'number' | 'boolean' };

export interface FormSchema {
  type: 'object';
  properties: { value: FieldSchema };
  required: ['value'];
}

const text = countComposed(z.string().trim().min(1).max(1_000));

const fields = {
  text: {
    schema: { type: 'string', minLength: 1, maxLength: 1_000 },
    model: text,
    noun: 'a text of 1 to 1,000 characters',
  },
  email: {
    schema: { type: 'string', format: 'email', minLength: 3, maxLength: 254 },
    model: countComposed(text.max(254)).check(z.email()),
    noun: 'an email address',
  },
  date: {
    schema: { type: 'string', format: 'date', minLength: 10, maxLength: 10 },
    model: text.check(z.iso.date()),
    noun: 'a date (YYYY-MM-DD)',
  },
  number: { schema: { type: 'number' }, model: z.number(), noun: 'a number' },
  boolean: { schema: { type: 'boolean' }, model: z.boolean(), noun: 'yes or no' },
} satisfies Record<string, Field>;

interface Field {
  readonly schema: FieldSchema;
  readonly model: z.ZodType;
  /** The expected value, for the error text. */
  readonly noun: string;
}

function fieldOf(inputType: FormType): Field {
  if (typeof inputType === 'string') return fields[inputType];
  const { choice } = inputType;
  return {
    schema: { type: 'string', enum: [...choice] },
    model: z.enum(choice),
    noun: 'one of the choices',
  };
}

/** Returns the form's schema: one field, `value`. */
export function formSchemaOf(inputType: FormType): FormSchema {
  return { type: 'object', properties: { value: fieldOf(inputType).schema }, required: ['value'] };
}

/**
 * Returns the value of an accepted form.
 *
 * @param content The answer as the client sent it: untrusted.
 * @throws ToolError if the answer does not match the input type. The message does not repeat the answer.
 */
export function formValueOf<const Type extends FormType>(
  inputType: Type,
  content: unknown,
): InputValue<Type> {
  const { model, noun } = fieldOf(inputType);
  const reply = z.object({ value: model }).safeParse(content);
  if (reply.success) return reply.data.value as InputValue<Type>;
  throw new ToolError(`The answer was not ${noun}. Please ask again.`);
}
