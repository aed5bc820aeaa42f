import { expect, expectTypeOf, test } from 'vitest';
import { ToolError } from '../result/errors.ts';
import { formSchemaOf, formValueOf, type FormType } from './input-types.ts';

const choice = { choice: ['red', 'green'] } as const;

test.each<[FormType, object]>([
  ['text', { type: 'string', minLength: 1, maxLength: 1000 }],
  ['email', { type: 'string', format: 'email', minLength: 3, maxLength: 254 }],
  ['date', { type: 'string', format: 'date', minLength: 10, maxLength: 10 }],
  ['number', { type: 'number' }],
  ['boolean', { type: 'boolean' }],
  [choice, { type: 'string', enum: ['red', 'green'] }],
])('[M23] %j is a form of one field', (type, value) => {
  expect(formSchemaOf(type)).toEqual({
    type: 'object',
    properties: { value },
    required: ['value'],
  });
});

test.each<[FormType, unknown, unknown]>([
  ['text', '  hello ', 'hello'],
  ['text', 'x'.repeat(1000), 'x'.repeat(1000)],
  ['email', ' ada@example.com', 'ada@example.com'],
  ['date', '2026-11-21', '2026-11-21'],
  ['date', '2024-02-29', '2024-02-29'],
  ['number', -1.5, -1.5],
  ['number', 0, 0],
  ['boolean', false, false],
  [choice, 'green', 'green'],
])('[M23] %j accepts %j', (type, given, value) => {
  expect(formValueOf(type, { value: given, more: 1 })).toBe(value);
});

test.each<[FormType, unknown, string]>([
  ['text', '  ', 'a text of 1 to 1,000 characters'],
  ['text', 'x'.repeat(1001), 'a text of 1 to 1,000 characters'],
  ['text', 5, 'a text of 1 to 1,000 characters'],
  ['email', 'ada', 'an email address'],
  ['email', 'ada@example.com\nbcc: x@y.z', 'an email address'],
  ['email', `${'a'.repeat(250)}@example.com`, 'an email address'],
  ['date', '2026-02-30', 'a date (YYYY-MM-DD)'],
  ['date', '21.11.2026', 'a date (YYYY-MM-DD)'],
  ['number', '5', 'a number'],
  ['number', NaN, 'a number'],
  ['boolean', 'true', 'yes or no'],
  [choice, 'blue', 'one of the choices'],
  [choice, 'toString', 'one of the choices'],
  ['text', undefined, 'a text of 1 to 1,000 characters'],
])('[M23] %j rejects %j, without repeating it', (type, value, noun) => {
  expect(() => formValueOf(type, { value })).toThrow(
    new ToolError(`The answer was not ${noun}. Please ask again.`),
  );
});

test.each([undefined, null, 'x', [], {}, { other: 'x' }])(
  '[M23] %j is not valid form content',
  (content) => {
    expect(() => formValueOf('text', content)).toThrow(ToolError);
  },
);

test('[M23] an answer has the type of its input', () => {
  expectTypeOf(formValueOf('number', { value: 1 })).toEqualTypeOf<number>();
  expectTypeOf(formValueOf('boolean', { value: true })).toEqualTypeOf<boolean>();
  expectTypeOf(formValueOf('date', { value: '2026-11-21' })).toEqualTypeOf<string>();
  expectTypeOf(formValueOf(choice, { value: 'red' })).toEqualTypeOf<'red' | 'green'>();
  // @ts-expect-error: a secret is never a form (M30)
  expect(() => formSchemaOf('password')).toThrow();
});

const booking = {
  fields: {
    room: { type: { choice: ['small', 'large'] }, title: 'Room', default: 'small' },
    people: { type: 'number', description: 'How many come.' },
    note: { type: 'text', title: 'A note', isOptional: true },
  },
} as const;

test('[M23] a form can have several fields, with title, description, default and choices', () => {
  expect(formSchemaOf(booking)).toEqual({
    type: 'object',
    properties: {
      room: { type: 'string', enum: ['small', 'large'], title: 'Room', default: 'small' },
      people: { type: 'number', description: 'How many come.' },
      note: { type: 'string', minLength: 1, maxLength: 1000, title: 'A note' },
    },
    required: ['room', 'people'],
  });
  const value = formValueOf(booking, { room: 'large', people: 3, note: '', more: 1 });
  expect(value).toEqual({ room: 'large', people: 3, note: undefined });
  expectTypeOf(value).toEqualTypeOf<{
    readonly room: 'small' | 'large';
    readonly people: number;
    readonly note: string | undefined;
  }>();
});

test.each([
  [{ room: 'huge', people: 3 }, 'The answer to "Room" was not one of the choices.'],
  [{ room: 'small', people: 'planted' }, 'The answer to "people" was not a number.'],
  [{ room: 'small', people: 3, note: 7 }, 'The answer to "A note" was not a text of'],
  ['planted', 'The answer to "Room" was not one of the choices.'],
])(
  '[M23] an answer that is not of the form names the field, and not the answer: %j',
  (given, text) => {
    expect(() => formValueOf(booking, given)).toThrow(ToolError);
    expect(() => formValueOf(booking, given)).toThrow(text);
    expect(() => formValueOf(booking, given)).not.toThrow('planted');
  },
);
