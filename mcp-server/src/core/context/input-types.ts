/** What a user may be asked in a form, and how the answer is read (M23). */
import { z } from 'zod';
import type { InputType, InputValue } from './tool-context.ts';
import { ToolError } from '../result/errors.ts';

/** A secret is never asked in a form: the form's answer goes through the client and the model's reach. */
export type FormType = Exclude<InputType, 'password'>;

/** The schema of the one field of a form, as `elicitation/create` takes it. */
type FieldSchema =
  | { type: 'string'; minLength: number; maxLength: number; format?: 'email' | 'date' }
  | { type: 'string'; enum: string[] }
  | { type: 'number' | 'boolean' };

export interface FormSchema {
  type: 'object';
  properties: { value: FieldSchema };
  required: ['value'];
}

const text = z.string().trim().min(1).max(1_000);

const fields = {
  text: {
    schema: { type: 'string', minLength: 1, maxLength: 1_000 },
    model: text,
    noun: 'a text of 1 to 1,000 characters',
  },
  email: {
    schema: { type: 'string', format: 'email', minLength: 3, maxLength: 254 },
    model: text.max(254).check(z.email()),
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
  /** What the answer was to be, for the text that refuses it. */
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

/** The form: one field, `value`. */
export function formSchemaOf(inputType: FormType): FormSchema {
  return { type: 'object', properties: { value: fieldOf(inputType).schema }, required: ['value'] };
}

/**
 * The value of an accepted form.
 *
 * @param content As the client sent it, which is not to be trusted.
 * @throws ToolError when it is not what was asked. The answer itself is not repeated.
 */
export function formValueOf<const Type extends FormType>(
  inputType: Type,
  content: unknown,
): InputValue<Type> {
  const { model, noun } = fieldOf(inputType);
  const answer = z.object({ value: model }).safeParse(content);
  if (answer.success) return answer.data.value as InputValue<Type>;
  throw new ToolError(`The answer was not ${noun}. Please ask again.`);
}
