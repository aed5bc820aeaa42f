/** Formatting of results: response format, single-line text, and times for people (M11, M12). */
import { z } from 'zod';

/** The field that every tool's input has: `response_format: responseFormat` (M11). */
export const responseFormat = z
  .enum(['markdown', 'json'])
  .default('markdown')
  .describe('json has all data.');

/** Control characters and line separators, which would start a new line or hide text. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Direction marks, zero-width characters and tag characters: invisible to people, but read by models. */
const invisible =
  /[\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** Splits untrusted text into lines. Removes invisible characters; keeps tabs. */
export function visibleLines(text: string): string[] {
  return text
    .toWellFormed()
    .replace(invisible, '')
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => line.replace(/(?!\t)\p{Cc}/gu, ''));
}

/**
 * Returns untrusted text as one visible line.
 *
 * @param maxLength In UTF-16 code units. Longer text is truncated and ends with `…`.
 */
export function oneLine(text: string, maxLength = Infinity): string {
  // Bounds the work for hostile text; the visible part almost always fits in ten times the length.
  const readable = text.length > maxLength * 10 ? text.slice(0, maxLength * 10) : text;
  const line = readable
    .toWellFormed()
    .replace(controls, ' ')
    .replace(invisible, '')
    .replace(/\s+/g, ' ')
    .trim();
  return readable === text ? truncated(line, maxLength) : cut(line, maxLength);
}

/** The line separators that JSON leaves as they are, unlike control characters. */
const lineSeparators = /[\u0085\u2028\u2029]/g;

/**
 * Returns JSON for a reader of lines or events. Many readers also split at U+0085, U+2028 and U+2029, which JSON
 * does not require to be escaped.
 */
export function jsonLine(value: unknown): string {
  return escapedSeparators(JSON.stringify(value));
}

/** @param json Serialized JSON, in which these characters occur only within strings. */
export function escapedSeparators(json: string): string {
  return json.replace(
    lineSeparators,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Truncates text between characters; it then ends with `…`.
 *
 * @param maxLength In UTF-16 code units.
 */
export function truncated(text: string, maxLength: number): string {
  return text.length > maxLength ? cut(text, maxLength) : text;
}

function cut(text: string, maxLength: number): string {
  // Without half of a surrogate pair at the end.
  const start = text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '');
  return `${start.toWellFormed()}…`;
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

const isoTime = /^\d{4}-\d\d-\d\d(?:(T)\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * Formats a time for people: `21 November 2026, 13:30 UTC`. A date alone has no time of day (M12).
 *
 * @param time ISO 8601 (UTC if it has no time zone), or Unix time in seconds or milliseconds: a value below 10¹¹ is
 *   in seconds. Anything else is returned unchanged.
 */
export function humanTime(time: string | number): string {
  const [iso, clock, zone] = (typeof time === 'string' && isoTime.exec(time)) || [];
  let date = new Date(NaN);
  if (typeof time === 'number') date = new Date(Math.abs(time) < 1e11 ? time * 1000 : time);
  else if (iso !== undefined) date = new Date(clock && !zone ? `${iso}Z` : iso);
  if (Number.isNaN(date.getTime())) return String(time);

  const day = `${date.getUTCDate()} ${months[date.getUTCMonth()] ?? ''} ${date.getUTCFullYear()}`;
  return iso !== undefined && !clock ? day : `${day}, ${date.toISOString().slice(-13, -8)} UTC`;
}
