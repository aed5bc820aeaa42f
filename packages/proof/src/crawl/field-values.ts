/** Values for form fields that satisfy what the fields declare, with the person's marker where they allow it. */
import RandExp from 'randexp';
import { wrongPassword } from '../people/people.ts';
import { markOf } from '../people/words.ts';

export interface Field {
  /** The `type` of an `<input>`; `textarea` for a text area. */
  type: string;
  /** By lower-case name. */
  attributes: Readonly<Record<string, string>>;
  /** What the field already contains. */
  value?: string;
}

/** The value to type into a field. */
export function valueFor({ type, attributes, value = '' }: Field, mark: string): string {
  const timed = timedTypes[type];
  if (timed) return timed.isValid(value, attributes) ? value : timed.first(attributes);
  switch (type) {
    case 'number':
    case 'range':
      return isInRange(value, attributes) ? value : numberFor(attributes);
    case 'color':
      return value || '#336699';
    case 'password':
      return wrongPassword;
    default:
      return textFor(type, attributes, mark);
  }
}

/** The kind of text that a field declares by its `type`, or else by its `inputmode`. */
const textKinds: Readonly<Record<string, (mark: string) => string[]>> = {
  email: (mark) => [`${mark}@example.com`, `${mark}@x.io`, 'a@b.io'],
  url: (mark) => [`https://example.com/${mark}`, `https://${mark}.example`, 'https://a.io'],
  tel: () => ['+4930123456', '0301234567', '030123456', '030 1234567', '030-123-4567'],
  numeric: () => ['12', '1234', '12345', '123456', '1'],
  decimal: () => ['12.5', '12,5', '12'],
};

const words = 'a lighthouse at dusk';

function textFor(type: string, attributes: Field['attributes'], mark: string): string {
  const kind = textKinds[type] ?? textKinds[(attributes['inputmode'] ?? '').toLowerCase()];
  const fits = fitnessOf(attributes);
  // A field that is too short for its own mark gets the person's.
  const marks = [...new Set([mark, markOf(mark)])];
  const pick = (make: (given: string) => string[]): string | undefined => {
    const fitting = marks
      .flatMap((given) =>
        make(given).map((text) => ({ given, text: withLength(text, attributes) })),
      )
      .filter(({ text }) => fits(text));
    // Words that nobody's mark is in could be seen by others unnoticed.
    const marked = fitting.find(({ given, text }) => text.toLowerCase().includes(given));
    return (marked ?? fitting[0])?.text;
  };
  return (
    (kind && pick(kind)) ??
    pick(anyText) ??
    generated(attributes, fits) ??
    withLength(kind?.(mark)[0] ?? `${mark}, ${words}`, attributes)
  );
}

/** The marker comes first, because a short field truncates the rest. */
function anyText(mark: string): string[] {
  return [
    ...[`${mark}, ${words}`, `${mark} ${words}`, mark, `${mark}-a`, mark.toUpperCase(), words],
    ...Object.values(textKinds).flatMap((make) => make(mark)),
    ...['Lighthouse', 'lighthouse', 'LIGHTHOUSE', '2030-01-15', '10:00', '#336699'],
  ];
}

/** Whether a text satisfies `pattern`, `minlength` and `maxlength`. */
function fitnessOf(attributes: Field['attributes']): (text: string) => boolean {
  const pattern = patternOf(attributes);
  const { least, most } = lengthOf(attributes);
  return (text) => text.length >= least && text.length <= most && (pattern?.test(text) ?? true);
}

/** As browsers read it: anchored, and ignored when it is not valid. */
function patternOf({ pattern }: Field['attributes']): RegExp | null {
  if (!pattern) return null;
  for (const flags of ['v', 'u', '']) {
    try {
      return new RegExp(`^(?:${pattern})$`, flags);
    } catch {
      // The next flags read more patterns.
    }
  }
  return null;
}

function lengthOf(attributes: Field['attributes']): { least: number; most: number } {
  const [least, most] = ['minlength', 'maxlength'].map((name) => Number(attributes[name] || NaN));
  return {
    least: least !== undefined && least > 0 ? least : 0,
    most: most !== undefined && most >= 0 ? most : Infinity,
  };
}

/** Padded or truncated where the text's form allows it. */
function withLength(text: string, attributes: Field['attributes']): string {
  const { least, most } = lengthOf(attributes);
  if (/^\d+$/.test(text)) return text.padEnd(least, '0').slice(0, most);
  if (/@|:\/\/|^\+/.test(text)) return text;
  return text.padEnd(least, /[^\w]/.test(text) ? '.' : 'a').slice(0, most);
}

/** How many texts to generate: a pattern may contain assertions, which the generator ignores. */
const tries = 50;

function generated(
  attributes: Field['attributes'],
  fits: (text: string) => boolean,
): string | null {
  const pattern = patternOf(attributes);
  if (!pattern) return null;
  const { least } = lengthOf(attributes);
  for (let attempt = 0; attempt < tries; attempt++) {
    let text: string;
    try {
      const generator = new RandExp(pattern.source);
      generator.max = Math.max(least, 12);
      // Two people get the same text, and every proof the same texts.
      let state = attempt + 1;
      generator.randInt = (from, to) => {
        state = (state * 48_271) % 2_147_483_647;
        return from + (state % (to - from + 1));
      };
      text = generator.gen();
    } catch {
      return null;
    }
    if (fits(text)) return text;
  }
  return null;
}

function isInRange(value: string, { min, max, step }: Field['attributes']): boolean {
  if (value.trim() === '' || Number.isNaN(Number(value))) return false;
  const number = Number(value);
  if (isNumber(min) && number < Number(min)) return false;
  if (isNumber(max) && number > Number(max)) return false;
  if (step === 'any') return true;
  const steps = (number - (isNumber(min) ? Number(min) : 0)) / stepOf(step);
  return Math.abs(steps - Math.round(steps)) < 1e-9;
}

/** The smallest positive number that `min`, `max` and `step` allow, or else the smallest. */
function numberFor({ min, max, step }: Field['attributes']): string {
  const size = stepOf(step);
  const least = isNumber(min) ? Number(min) : null;
  const most = isNumber(max) ? Number(max) : null;
  // Steps are counted from `min`.
  const base = least ?? 0;
  const positive = base > 0 ? base : base + Math.ceil((1 - base) / size) * size;
  const fits = most === null || positive <= most;
  const number = fits ? positive : (least ?? Math.floor(most / size) * size);
  return String(Number(number.toPrecision(12)));
}

function stepOf(step: string | undefined): number {
  return isNumber(step) && Number(step) > 0 ? Number(step) : 1;
}

function isNumber(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '' && !Number.isNaN(Number(text));
}

interface TimedType {
  isValid: (value: string, attributes: Field['attributes']) => boolean;
  first: (attributes: Field['attributes']) => string;
}

/** Dates and times compare as texts. */
const timedTypes: Readonly<Record<string, TimedType | undefined>> = {
  date: timed(/^\d{4}-\d\d-\d\d$/, '2030-01-15'),
  'datetime-local': timed(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/, '2030-01-15T10:00'),
  month: timed(/^\d{4}-\d\d$/, '2030-01'),
  week: timed(/^\d{4}-W\d\d$/, '2030-W03'),
  time: timed(/^\d\d:\d\d/, '10:00'),
};

function timed(form: RegExp, usual: string): TimedType {
  const isValid: TimedType['isValid'] = (value, { min = '', max = '' }) =>
    form.test(value) && (min === '' || value >= min) && (max === '' || value <= max);
  return {
    isValid,
    first(attributes) {
      const { min, max } = attributes;
      // A step is counted from `min`, so only `min` itself is sure to be one.
      const candidates = attributes['step'] && min ? [min] : [usual, min, max];
      return candidates.find((value) => value && isValid(value, attributes)) ?? usual;
    },
  };
}
