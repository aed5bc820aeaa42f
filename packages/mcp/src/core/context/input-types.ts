/** Forms of an elicitation, and validation of the answer (M23). */
import { z } from 'zod';
import type { FormField, InputType, InputValue } from './tool-context.ts';
import { ToolError } from '../result/errors.ts';
import { countComposed } from '../result/text-length.ts';

/** Excludes `password`: the client and the model can read a form's answer. */
export type FormType = Exclude<InputType, 'password'>;

/** The schema of a field, as `elicitation/create` accepts it. */
type FieldSchema = { title?: string; description?: string } & (
  | {
      type: 'string';
      minLength: number;
      maxLength: number;
      format?: 'email' | 'date';
      default?: string;
    }
  | { type: 'string'; enum: string[]; default?: string }
  | { type: 'number'; default?: number }
  | { type: 'boolean'; default?: boolean }
);

export interface FormSchema {
  type: 'object';
  properties: Record<string, FieldSchema>;
  required: string[];
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

function fieldOf(type: FormField['type']): Field {
  if (typeof type === 'string') return fields[type];
  const { choice } = type;
  return {
    schema: { type: 'string', enum: [...choice] },
    model: z.enum(choice),
    noun: 'one of the choices',
  };
}

/** The fields of a form: of a simple type one, `value`. */
function fieldsOf(inputType: FormType): [name: string, field: FormField][] {
  return typeof inputType === 'object' && 'fields' in inputType
    ? Object.entries(inputType.fields)
    : [['value', { type: inputType }]];
}

export function formSchemaOf(inputType: FormType): FormSchema {
  const all = fieldsOf(inputType);
  const schemaOf = ({ type, title, description, default: preset }: FormField) =>
    ({
      ...fieldOf(type).schema,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(preset !== undefined && { default: preset }),
    }) as FieldSchema;
  return {
    type: 'object',
    properties: Object.fromEntries(all.map(([name, field]) => [name, schemaOf(field)])),
    required: all.filter(([, { isOptional }]) => !isOptional).map(([name]) => name),
  };
}

/**
 * Returns the value of an accepted form; of one with several fields, their values by name.
 *
 * @param content The answer as the client sent it: untrusted.
 * @throws ToolError if the answer does not match the input type. The message does not repeat the answer.
 */
export function formValueOf<const Type extends FormType>(
  inputType: Type,
  content: unknown,
): InputValue<Type> {
  const given = z.record(z.string(), z.unknown()).safeParse(content).data ?? {};
  const values = fieldsOf(inputType).map(([name, { type, title, isOptional = false }]) => {
    const { model, noun } = fieldOf(type);
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const isLeftOut = isOptional && (value === undefined || value === null || value === '');
    const reply = isLeftOut ? { success: true, data: undefined } : model.safeParse(value);
    if (reply.success) return [name, reply.data] as const;
    const place = name === 'value' ? '' : ` to ${JSON.stringify(title ?? name)}`;
    throw new ToolError(`The answer${place} was not ${noun}. Please ask again.`);
  });
  const form: Record<string, unknown> = Object.fromEntries(values);
  const isForm = typeof inputType === 'object' && 'fields' in inputType;
  return (isForm ? form : form['value']) as InputValue<Type>;
}
