/** A field's value satisfies what the field declares. */
import { expect, test } from 'vitest';
import { valueFor, type Field } from './field-values.ts';

const mark = 'zq7qz';
const filled = (type: string, attributes: Field['attributes'] = {}, value = '') =>
  valueFor({ type, attributes, value }, mark);

test.each<[string, Field['attributes'], RegExp]>([
  ['text', {}, /^zq7qz, /],
  ['text', { maxlength: '8' }, /^zq7qz, a$/],
  ['text', { minlength: '40' }, /^zq7qz, .{33,}$/],
  ['textarea', { minlength: '5', maxlength: '12' }, /^zq7qz.{0,7}$/],
  ['text', { pattern: '[a-z0-9-]+' }, /^zq7qz[a-z0-9-]*$/],
  ['text', { pattern: '[A-Z0-9]{3,10}' }, /^ZQ7QZ$/],
  ['text', { pattern: String.raw`\d{5}` }, /^\d{5}$/],
  ['text', { pattern: String.raw`\d{4}`, inputmode: 'numeric' }, /^\d{4}$/],
  ['text', { pattern: '[A-Z]{2}[0-9]{2} [A-Z]{3}' }, /^[A-Z]{2}\d{2} [A-Z]{3}$/],
  ['text', { pattern: '(?=.*b)[ab]{6}' }, /^(?=.*b)[ab]{6}$/],
  ['text', { pattern: '[0-9]{2}/[0-9]{2}' }, /^\d\d\/\d\d$/],
  ['text', { pattern: '(' }, /^zq7qz, /],
  ['text', { inputmode: 'numeric' }, /^\d+$/],
  ['text', { inputmode: 'numeric', minlength: '6', maxlength: '6' }, /^\d{6}$/],
  ['text', { inputmode: 'decimal' }, /^\d+\.\d+$/],
  ['text', { inputmode: 'email' }, /^zq7qz@example\.com$/],
  ['text', { inputmode: 'tel' }, /^\+?\d+$/],
  ['tel', { pattern: String.raw`\d{3}-\d{3}-\d{4}` }, /^\d{3}-\d{3}-\d{4}$/],
  ['email', {}, /^zq7qz@example\.com$/],
  ['email', { maxlength: '11' }, /^.+@.+$/],
  ['email', { pattern: String.raw`.+@company\.example` }, /^.+@company\.example$/],
  ['url', { pattern: 'https://.*' }, /^https:\/\/.*zq7qz/],
  ['color', {}, /^#[\da-f]{6}$/],
])('%s with %j', (type, attributes, form) => {
  const value = filled(type, attributes);
  expect(value).toMatch(form);
  expect(value.length).toBeLessThanOrEqual(Number(attributes['maxlength'] ?? Infinity));
});

test.each<[string, Field['attributes'], RegExp]>([
  ['text', {}, /^zq7bkcqz, /],
  ['text', { maxlength: '8' }, /^zq7bkcqz$/],
  ['text', { maxlength: '7' }, /^zq7qz, $/],
  ['text', { maxlength: '6' }, /^zq7qz,$/],
  ['text', { pattern: '[a-z0-9]{3,6}' }, /^zq7qz$/],
  ['email', { maxlength: '10' }, /^zq7qz@x\.io$/],
])(
  '%s with %j has a mark of its own, or the person’s where it is too short',
  (type, attributes, form) => {
    expect(valueFor({ type, attributes, value: '' }, 'zq7bkcqz')).toMatch(form);
  },
);

test.each<[string, Field['attributes'], string, string]>([
  ['number', {}, '', '1'],
  ['number', {}, '7', '7'],
  ['number', { min: '5' }, '', '5'],
  ['number', { min: '5' }, '3', '5'],
  ['number', { max: '-3' }, '', '-3'],
  ['number', { min: '-10', max: '-5' }, '', '-10'],
  ['number', { min: '0', max: '1', step: '0.25' }, '', '1'],
  ['number', { min: '0.5', step: '0.5' }, '', '0.5'],
  ['number', { min: '-4', step: '3' }, '', '2'],
  ['number', { step: '5' }, '7', '5'],
  ['number', { step: 'any' }, '7.3', '7.3'],
  ['range', { min: '10', max: '20' }, '', '10'],
  ['date', {}, '', '2030-01-15'],
  ['date', { min: '2031-02-03' }, '', '2031-02-03'],
  ['date', { max: '2020-12-31' }, '', '2020-12-31'],
  ['date', { min: '2019-01-01', max: '2020-12-31' }, '2019-06-01', '2019-06-01'],
  ['date', { min: '2019-01-01', max: '2020-12-31' }, '2024-06-01', '2019-01-01'],
  ['date', { min: '2029-01-01', step: '7' }, '', '2029-01-01'],
  ['time', { min: '12:00', max: '14:00' }, '', '12:00'],
  ['time', { max: '09:00' }, '', '09:00'],
  ['month', { min: '2031-05' }, '', '2031-05'],
  ['week', { max: '2026-W01' }, '', '2026-W01'],
  ['datetime-local', { min: '2031-01-01T08:00' }, '', '2031-01-01T08:00'],
])('%s with %j and %j gets %j', (type, attributes, value, expected) => {
  expect(filled(type, attributes, value)).toBe(expected);
});
