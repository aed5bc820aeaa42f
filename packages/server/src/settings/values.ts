/** What the values of single settings must look like. No refusal shows a password. */
import { z } from 'zod';
import { problemOfHost, readOrigin, readSource, type Reading } from '../origins.ts';

/** A schema for text that `read` normalises, or refuses with a reason. */
const readBy = (read: (text: string) => Reading) =>
  z.string().transform((text, context) => {
    const reading = read(text);
    if ('value' in reading) return reading.value;
    context.addIssue({ code: 'custom', message: reading.problem });
    return z.NEVER;
  });

export const origin = readBy(readOrigin);

/** The platform's internal address, as a base URL without a trailing slash. */
export const internalUrl = readBy((text) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  // A password may be why it is not a URL, or be taken for its path.
  if (url ? !isPlainAddress(url) : text.includes('@')) {
    return { problem: 'must have no credentials, query or fragment' };
  }
  const problem = problemOfHost(text);
  if (problem !== null) return { problem };
  return url && /^https?:$/.test(url.protocol)
    ? { value: url.href.replace(/[?#]*$/, '').replace(/\/+$/, '') }
    : { problem: 'must be an http or https URL, such as http://127.0.0.1:4001' };
});

function isPlainAddress({ username, password, pathname, search, hash }: URL): boolean {
  return !username && !password && !pathname.includes('@') && !search && !hash;
}

/** One CSP source: `'self'`, `'none'`, or an origin whose host may start with `*.`. */
const frameAncestor = z
  .string()
  .regex(/^('?(self|none)'?|https?:\/\/.+)$/i, {
    error: "must list origins such as https://host.example, 'self' or 'none', separated by spaces",
    abort: true,
  })
  .pipe(readBy((text) => readSource(text, { schemes: ['https', 'http'] })));

export const frameAncestors = z
  .string()
  .transform((value) => value.split(/[\s,]+/).filter(Boolean))
  .pipe(z.array(frameAncestor).min(1, { error: 'must not be empty' }))
  .refine((sources) => sources.length === 1 || !sources.includes("'none'"), {
    error: "must not have 'none' beside other sources",
  });

export const oneOf = <const T extends string[]>(...values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

const address = z.union([z.ipv4(), z.ipv6()]);
/** An IPv6 address may name its interface: `fe80::1%eth0`. */
const isAddress = (text: string) =>
  address.safeParse(text.replace(/(?<=:.*)%[\w.-]+$/, '')).success;

/** An address to listen on. */
export const host = z
  .string()
  .trim()
  .refine(
    (text) => isAddress(text) || (/^[\w-]+(\.[\w-]+)*$/.test(text) && !/^[\d.]+$/.test(text)),
    {
      error:
        'must be an IP address or a host name of this machine, without a port, such as 0.0.0.0',
    },
  );

const badPort = 'must be a port number';
export const port = inDigits(badPort, (number) =>
  number.int(badPort).min(0, badPort).max(65_535, badPort),
);

export const wholeNumber = (within: (number: z.ZodNumber) => z.ZodNumber) =>
  inDigits('must be a whole number', (number) => within(number.int('must be a whole number')));

export const seconds = (max: number) =>
  inDigits(
    'must be a number of seconds',
    (number) => number.min(0, 'must not be negative').max(max, `must be at most ${max}`),
    /^-?\d+(\.\d+)?$/,
  );

/** JavaScript alone would also read a space as 0, `1e3` and `0x10`. */
function inDigits(error: string, within: (number: z.ZodNumber) => z.ZodNumber, digits = /^-?\d+$/) {
  return z
    .string()
    .trim()
    .regex(digits, { error, abort: true })
    .transform(Number)
    .pipe(within(z.number(error)));
}
